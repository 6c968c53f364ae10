import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import { issueOf } from '../chain/adapters/deployment';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { lruCache, refuse } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';
import type { OutsideSender, OutsideTransfer } from './outside-sender.port';

/** The outside sender's key id. */
const OUTSIDER_KEY = 'outsider';
const PLENTY = 10n ** 30n;
const GAS = 200_000n;
const GWEI = 1_000_000_000n;
const NOWHERE: Hex = `0x${'ee'.repeat(20)}`;

/** An outside sender on a simulated chain. Its record of transfers ends with the process, as the chain does. */
export class SimulatedOutsideSender implements OutsideSender {
  private readonly signer = new SimulatedSigner();
  private readonly sent = lruCache<string, Promise<{ readonly txHash: Hex; readonly from: Hex }>>(10_000);

  constructor(private readonly chain: SimulatedChain) {}

  send(transfer: OutsideTransfer): Promise<{ readonly txHash: Hex; readonly from: Hex }> {
    const sent = this.sent.get(transfer.id) ?? this.once(transfer);
    this.sent.set(transfer.id, sent);
    sent.catch(() => this.sent.delete(transfer.id));
    return sent;
  }

  private async once({
    asset,
    to,
    units,
    fate,
  }: OutsideTransfer): Promise<{ readonly txHash: Hex; readonly from: Hex }> {
    if (fate === 'listed-sender')
      refuse('asset-not-supported', 'a simulated chain cannot impersonate an address: use anvil', 'asset');
    const { chain, signer } = this;
    const from = await signer.addressOf(OUTSIDER_KEY);
    if ((await chain.tokenBalance(asset, from)) < units) {
      if (issueOf(asset) !== 'foreign')
        refuse(
          'insufficient-balance',
          `send at least as many of these tokens to the simulated external address ${from} first, because only Ponte issues them`,
          'amount',
        );
      chain.fund(asset, from, PLENTY);
    }
    const call = chain.transferCall({
      asset,
      to,
      units: fate === 'nothing-sent' ? 0n : fate === 'reverted' ? PLENTY * PLENTY : units,
    });
    const { raw, hash } = await signer.signTransaction(OUTSIDER_KEY, {
      ...call,
      to: fate === 'look-alike' ? NOWHERE : call.to,
      chainId: chain.chainId,
      nonce: await chain.nextNonce(from, 'latest'),
      gas: GAS,
      maxFeePerGas: GWEI,
      maxPriorityFeePerGas: GWEI,
    });
    if (fate !== 'dropped') await chain.broadcast(raw);
    return { txHash: hash, from };
  }
}
