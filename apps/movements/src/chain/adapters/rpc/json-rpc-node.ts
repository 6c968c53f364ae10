import { Unavailable } from '@ponte/kernel';
import { type PublicClient, type Transport, createPublicClient } from 'viem';
import type { BlockId, Head, Hex } from '../../chain.port';
import { outageOf } from './broadcast-outcome';
import type { ReceiptLog } from './certificates';
import { isBlockTime, isBytes, isQuantity, isUnsigned, isWord } from './json-rpc-values';

export interface RawBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly baseFeePerGas?: Hex;
}

interface RawReceipt {
  readonly status: Hex;
  readonly from: Hex;
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly blockHash: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly logs: readonly ReceiptLog[];
}

/** What a node returns instead of a value, before it was checked. */
export type Returned<T> = { readonly [member in keyof T]?: unknown } | null | undefined;

/** The newest state, or that of one block. */
export type StateAt = 'latest' | BlockId;

/** A number as JSON-RPC writes it. */
export const hexOf = (number: number): Hex => `0x${number.toString(16)}`;

/** EIP-1898: a block hash, so that a node refuses when it lacks the block or has another at its height. */
const stateOf = (at: StateAt) => (at === 'latest' ? at : { blockHash: at.hash, requireCanonical: true });

/** The calls to one JSON-RPC endpoint. They reject with `Unavailable` when it does not answer. */
export class JsonRpcNode {
  readonly client: PublicClient;

  constructor(transport: Transport) {
    this.client = createPublicClient({ transport, cacheTime: 0 });
  }

  chainId(): Promise<number> {
    return this.quantity('eth_chainId', []);
  }

  headNumber(): Promise<number> {
    return this.quantity('eth_blockNumber', []);
  }

  /**
   * The block of that number or tag; null when the node does not have it. Rejects with `Unavailable` when the node
   * returns something else than a block.
   */
  async block(at: number | 'latest' | 'finalized'): Promise<Head | null> {
    const tag = typeof at === 'number' ? hexOf(at) : at;
    const block = await this.rpc<Returned<RawBlock>>('eth_getBlockByNumber', [tag, false]);
    if (block === null) return null;
    const { number, hash, timestamp } = block ?? {};
    if (!isQuantity(number) || !isWord(hash) || !isBlockTime(timestamp))
      throw new Unavailable('chain-unavailable', `the node returned a malformed block ${at}`);
    return { number: Number(number), hash, time: Number(timestamp) * 1_000 };
  }

  /** As {@link block}. Rejects with `Unavailable` when the node does not have it. */
  async existingBlock(at: number | 'latest' | 'finalized'): Promise<Head> {
    const block = await this.block(at);
    if (block === null) throw new Unavailable('chain-unavailable', `the node does not have block ${at}`);
    return block;
  }

  async headBlock(): Promise<BlockId> {
    const { number, hash } = await this.existingBlock('latest');
    return { number, hash };
  }

  /** Null when the node has none. Rejects with `Unavailable` when it returns something else than a receipt. */
  async receipt(hash: Hex): Promise<RawReceipt | null> {
    const method = 'eth_getTransactionReceipt';
    const receipt = await this.rpc<Returned<RawReceipt>>(method, [hash]);
    if (receipt === null) return null;
    const { status, transactionHash, blockNumber, blockHash, gasUsed, effectiveGasPrice, logs } = receipt ?? {};
    const isReceipt =
      (status === '0x1' || status === '0x0') &&
      [transactionHash, blockHash].every(isWord) &&
      isQuantity(blockNumber) &&
      [gasUsed, effectiveGasPrice].every(isUnsigned) &&
      Array.isArray(logs);
    return isReceipt ? (receipt as RawReceipt) : malformed(method);
  }

  /** How many transactions of the sender are mined. */
  transactionCount(sender: Hex, at: StateAt): Promise<number> {
    return this.quantity('eth_getTransactionCount', [sender, stateOf(at)]);
  }

  async hasCode(address: Hex, at: StateAt): Promise<boolean> {
    const code = await this.rpc<unknown>('eth_getCode', [address, stateOf(at)]);
    return isBytes(code) ? code !== '0x' : malformed('eth_getCode');
  }

  /** The coins of an address in the newest block, in their smallest unit. */
  coinBalance(holder: Hex): Promise<bigint> {
    return this.unsigned('eth_getBalance', [holder, 'latest']);
  }

  /** Calls a contract function that returns one number. Rejects with `Unavailable` when there is no contract. */
  async call(to: Hex, data: Hex, at: StateAt): Promise<bigint> {
    const answer = await this.callData(to, data, at);
    if (answer === null) throw new Unavailable('chain-unavailable', `there is no contract at ${to} in this block`);
    return numberIn(answer);
  }

  /** What a contract function returns; null when there is no contract. */
  async callData(to: Hex, data: Hex, at: StateAt): Promise<Hex | null> {
    const answer = await this.rpc<Hex>('eth_call', [{ to, data }, stateOf(at)]);
    if (typeof answer !== 'string') throw new Unavailable('chain-unavailable', 'the node returned no result of a call');
    return answer === '0x' ? null : answer;
  }

  /** A call that returns a height or a count. */
  private async quantity(method: string, params: readonly unknown[]): Promise<number> {
    const answer = await this.rpc<unknown>(method, params);
    return isQuantity(answer) ? Number(answer) : malformed(method);
  }

  /** A call that returns an amount. */
  protected async unsigned(method: string, params: readonly unknown[]): Promise<bigint> {
    const answer = await this.rpc<unknown>(method, params);
    return isUnsigned(answer) ? BigInt(answer) : malformed(method);
  }

  /** One typed call. viem's own types of raw methods cover less than what nodes return. */
  async rpc<T>(method: string, params: readonly unknown[]): Promise<T> {
    try {
      return await this.ask<T>(method, params);
    } catch (error) {
      throw new Unavailable('chain-unavailable', outageOf(error));
    }
  }

  /** As {@link rpc}, but rejects with the node's own error. */
  ask<T>(method: string, params: readonly unknown[]): Promise<T> {
    const request = this.client.request as (call: { method: string; params: readonly unknown[] }) => Promise<T>;
    return request({ method, params });
  }
}

/** A node that answers something else than the method returns counts as one that does not answer. */
export function malformed(method: string): never {
  throw new Unavailable('chain-unavailable', `the node returned a malformed answer to ${method}`);
}

/** The number that a contract function returned. */
export function numberIn(answer: Hex): bigint {
  if (!isUnsigned(answer)) throw new Unavailable('chain-unavailable', 'the node returned a malformed number');
  return BigInt(answer);
}
