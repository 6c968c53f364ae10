import { SANCTIONED_SANDBOX_ADDRESS } from '@ponte/contracts';
import { assetOf, refuse } from '@ponte/kernel';
import {
  type Abi,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  keccak256,
  parseAbiParameters,
} from 'viem';
import * as stableArtifact from '../../contracts/artifacts/TestStable.json';
import { CALLS } from '../chain/adapters/rpc/abi';
import { issueOf } from '../chain/adapters/deployment';
import { askNode, askNodeOne } from '../chain/adapters/local-anvil/json-rpc';
import type { Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { OutsideSender, OutsideTransfer } from './outside-sender.port';

/** The outside address of every local chain. It has no key: the node impersonates it. */
export const OUTSIDER: Hex = `0x${'0051'.repeat(10)}`;
const COINS = `0x${(10n ** 24n).toString(16)}`;
const PLENTY = 10n ** 30n;
/** Enough for a transfer; a deployment takes more. */
const GAS = '0x30d40';
const DEPLOY_GAS = '0x1e8480';
/** The storage slot of the balances in OpenZeppelin's ERC20: its first variable. */
const BALANCES_SLOT = 0n;

interface Receipt {
  readonly status: Hex;
  readonly contractAddress: Hex | null;
}

/**
 * An outside sender on the anvil of a local chain. Its transactions end with their id, so that they can be found again.
 */
export class AnvilOutsideSender implements OutsideSender {
  private readonly lookAlikes = new Map<string, Hex>();

  constructor(
    private readonly served: Pick<ServedChain, 'tokens'>,
    private readonly url: string,
  ) {}

  async send({ id, asset, to, units, fate }: OutsideTransfer): Promise<{ readonly txHash: Hex; readonly from: Hex }> {
    const token = this.served.tokens[asset] ?? refuse('asset-not-supported', `${asset} has no contract here`, 'asset');
    const tag = id.replaceAll('-', '');
    const from = fate === 'listed-sender' ? SANCTIONED_SANDBOX_ADDRESS : OUTSIDER;
    const earlier = await this.find(tag, from);
    if (earlier) return { txHash: earlier, from };
    await this.ask('anvil_setBalance', from, COINS);
    await this.ask('anvil_impersonateAccount', from);
    const contract = fate === 'look-alike' ? await this.lookAlike(asset) : token;
    if (fate === 'transfer' || fate === 'listed-sender')
      await this.provide(token, from, units, issueOf(asset) === 'foreign');
    // For `reverted`, one unit more than the balance. The contract ignores the data after the arguments.
    const sent = fate === 'nothing-sent' ? 0n : fate === 'reverted' ? (await this.balance(token, from)) + 1n : units;
    const data = `${encodeFunctionData({ ...CALLS.transfer, args: [to, sent] })}${tag}`;
    const txHash = (await this.ask('eth_sendTransaction', { from, to: contract, data, gas: GAS })) as Hex;
    if (fate === 'dropped') await this.ask('anvil_dropTransaction', txHash);
    else await this.ask('evm_mine');
    return { txHash, from };
  }

  /** Searches only the last blocks: a repetition comes soon. */
  private async find(tag: string, sender: Hex): Promise<Hex | undefined> {
    const head = Number(await this.ask('eth_blockNumber'));
    const numbers = Array.from({ length: Math.min(head, 200) }, (_, at) => `0x${(head - at).toString(16)}`);
    const blocks = (await askNode(
      this.url,
      numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [number, true] })),
    )) as { transactions: { hash: Hex; from: Hex; input: Hex }[] }[];
    return blocks
      .flatMap(({ transactions }) => transactions)
      .find(({ from, input }) => from.toLowerCase() === sender && input.endsWith(tag))?.hash;
  }

  private async provide(token: Hex, from: Hex, units: bigint, foreign: boolean): Promise<void> {
    const balance = await this.balance(token, from);
    if (balance >= units) return;
    if (!foreign)
      return refuse(
        'insufficient-balance',
        `send at least as many of these tokens to the simulated external address ${from} first, because only Ponte issues them`,
        'amount',
      );
    const slot = keccak256(encodeAbiParameters(parseAbiParameters('address, uint256'), [from, BALANCES_SLOT]));
    await this.ask('anvil_setStorageAt', token, slot, `0x${PLENTY.toString(16).padStart(64, '0')}`);
  }

  private async balance(token: Hex, of: Hex): Promise<bigint> {
    const data = encodeFunctionData({ ...CALLS.balanceOf, args: [of] });
    return BigInt((await this.ask('eth_call', { to: token, data }, 'latest')) as Hex);
  }

  /** A different contract with the same name and symbol. */
  private async lookAlike(asset: OutsideTransfer['asset']): Promise<Hex> {
    const known = this.lookAlikes.get(asset);
    if (known) return known;
    const { symbol, onChainDecimals = 18 } = assetOf(asset);
    const data = encodeDeployData({
      abi: stableArtifact.abi as Abi,
      bytecode: stableArtifact.bytecode as Hex,
      args: [symbol, symbol, onChainDecimals, OUTSIDER, OUTSIDER, PLENTY],
    });
    const hash = await this.ask('eth_sendTransaction', { from: OUTSIDER, data, gas: DEPLOY_GAS });
    await this.ask('evm_mine');
    const { contractAddress } = (await this.ask('eth_getTransactionReceipt', hash)) as Receipt;
    if (contractAddress === null) throw new Error('the look-alike token was not deployed');
    this.lookAlikes.set(asset, contractAddress);
    return contractAddress;
  }

  private ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    return askNodeOne(this.url, method, ...params);
  }
}
