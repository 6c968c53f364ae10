import type { IncomingTransfer, IncomingTransfersEvent } from '@ponte/contracts';
import { ProvisionWallets } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import type { Setup, MovementsUnderTest } from './movements-under-test';
import type { Hex } from '../chain/chain.port';

const OUTSIDER = 'outsider';
const GWEI = 1_000_000_000n;
const keys = new SimulatedSigner();

/** An outside sender of tokens on a simulated chain, which counts its nonces itself. */
export class Outsider {
  private nonce = 0;

  constructor(readonly chain: SimulatedChain) {}

  address(): Promise<Hex> {
    return keys.addressOf(OUTSIDER);
  }

  async send(to: Hex, units: bigint, asset: AssetId = 'eth-base/usdc', contract?: Hex): Promise<Hex> {
    const from = await this.address();
    if ((await this.chain.tokenBalance(asset, from)) < units) this.chain.fund(asset, from, 10n ** 30n);
    const call = this.chain.transferCall({ asset, to, units });
    const { raw, hash } = await keys.signTransaction(OUTSIDER, {
      ...call,
      to: contract ?? call.to,
      chainId: this.chain.chainId,
      nonce: this.nonce,
      gas: 100_000n,
      maxFeePerGas: GWEI,
      maxPriorityFeePerGas: GWEI,
    });
    this.nonce += 1;
    await this.chain.broadcast(raw);
    return hash;
  }

  /** Reads the nonce again, after a reorg that lost transactions. */
  async resync(): Promise<void> {
    this.nonce = await this.chain.nextNonce(await keys.addressOf(OUTSIDER), 'latest');
  }
}

/** Creates the wallets of a new account, by chain. */
export async function walletsOf(
  movements: MovementsUnderTest,
  accountId: string,
): Promise<Readonly<Record<Chain, Hex>>> {
  const { wallets } = await movements.bus.request(
    ProvisionWallets,
    { accountId, parentId: 'parent' },
    movements.context(),
  );
  return Object.fromEntries(wallets.map(({ chain, address }) => [chain, address])) as Record<Chain, Hex>;
}

interface Arrival extends IncomingTransfer {
  readonly state: 'seen' | 'confirmed' | 'final' | 'reorged';
  readonly blockHash: string;
}

/** Every outside transfer in the log, oldest first. Throws when one became final or void twice, or after its end. */
export function arrivals(movements: MovementsUnderTest): Arrival[] {
  const arrivals = new Map<string, Arrival>();
  for (const { type, data } of movements.events()) {
    const move = (state: Arrival['state'], from: readonly Arrival['state'][]) => {
      for (const id of (data as { depositIds: string[] }).depositIds) {
        const one = arrivals.get(id);
        if (!one || !from.includes(one.state)) throw new Error(`${type} of a transfer that is ${one?.state}`);
        arrivals.set(id, { ...one, state });
      }
    };
    switch (type as IncomingTransfersEvent['type']) {
      case 'IncomingTransfersSeen':
        for (const one of (data as { transfers: IncomingTransfer[] }).transfers) {
          if (arrivals.has(one.depositId)) throw new Error('a deposit was seen twice');
          arrivals.set(one.depositId, { ...one, state: 'seen', blockHash: (data as { blockHash: string }).blockHash });
        }
        break;
      case 'IncomingTransfersConfirmed':
        move('confirmed', ['seen', 'confirmed']);
        break;
      case 'IncomingTransfersFinalized':
        move('final', ['seen', 'confirmed']);
        break;
      case 'IncomingTransfersReorged':
        move('reorged', ['seen', 'confirmed']);
        break;
      default:
    }
  }
  return [...arrivals.values()];
}

export const finals = (movements: MovementsUnderTest): Arrival[] =>
  arrivals(movements).filter(({ state }) => state === 'final');

/** The test mines the blocks, which are final long after they are confirmed. */
export const SLOW_FINALITY: Setup = { instant: false, confirmations: 2, finality: 10 };
