import type { BlockId, Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { TransferLog } from './transfer-logs.port';

/** Transfers of one block that are deposits. */
export interface TransfersOfBlock extends BlockId {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly transfers: readonly TransferLog[];
}

/** Whose an address is. */
export interface Ours {
  /**
   * Wallets of accounts on the chain, in groups that fit into one question to a node, when there are few enough to ask
   * for their logs alone; null for more.
   */
  recipients(): Promise<readonly (readonly Hex[])[] | null>;
  /** Which of these are wallets of accounts. */
  wallets(addresses: readonly Hex[]): Promise<ReadonlySet<Hex>>;
  /** Addresses of our keys: what they sign is booked by the service that requested it. */
  senders(): Promise<ReadonlySet<Hex>>;
}

/**
 * What the nodes of a chain agree on: one node where there is one, else two. All reads reject with `Unavailable`
 * ('chain-unavailable') when a node that
 * has the blocks contradicts another, or too few have them: then nothing is known.
 */
export interface DepositTransfers {
  /** The highest final block that any node has named: far ahead of the agreed one, when a node lags or lies. */
  readonly highestNamed: number;
  /** The newest block that is final. */
  final(): Promise<BlockId>;
  /** The newest block. */
  head(): Promise<BlockId>;
  /** The block at that height of the chain that ends with `tip`. */
  at(number: number, tip: BlockId): Promise<BlockId>;
  /**
   * The lowest block that is not older than the time (epoch ms), as of the node that names the lowest; one behind `tip`
   * when all are.
   */
  firstSince(time: number, tip: BlockId): Promise<number>;
  /**
   * One page of deposits from block `from` on, at most to `tip`, an agreed block. `end` is the last block of the page.
   */
  read(from: number, tip: BlockId): Promise<{ readonly end: BlockId; readonly blocks: readonly TransfersOfBlock[] }>;
}

/** Those of a chain. */
export type DepositTransfersOf = (served: ServedChain) => DepositTransfers;
export const DEPOSIT_TRANSFERS = Symbol('DepositTransfers');
