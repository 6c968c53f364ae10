import type { BlockId, Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { EarlyTransfers } from '../early-deposits/early-transfers.port';
import type { TransferLog } from '../transfer-logs/transfer-logs.port';

/** The transfers of one block that are deposits. */
export interface TransfersOfBlock extends BlockId {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly transfers: readonly TransferLog[];
}

/** Which addresses of a chain are ours. */
export interface OwnAddresses {
  /**
   * Wallets of accounts on the chain, in groups that fit into one request for logs. Null when there are too many to
   * name in every request.
   */
  recipients(): Promise<readonly (readonly Hex[])[] | null>;
  /** All wallets of accounts on the chain, however many there are. */
  allWallets(): Promise<readonly Hex[]>;
  /** Those of the addresses that are wallets of accounts. */
  wallets(addresses: readonly Hex[]): Promise<ReadonlySet<Hex>>;
  /** Addresses of our keys. The service that requested their transactions books them. */
  senders(): Promise<ReadonlySet<Hex>>;
}

/**
 * What the nodes of a chain agree on: two of them must agree, or the only one answers. All reads reject with
 * `Unavailable` ('chain-unavailable') when a node that has the blocks contradicts another, or too few have them: then
 * nothing is known.
 */
export interface DepositTransfers {
  /**
   * The highest final block that a node named when the nodes were asked last; 0 if none answered. It is far above the
   * agreed one when a node lags or lies.
   */
  readonly highestNamed: number;
  /** What the nodes agree on about new wallets. */
  readonly early: EarlyTransfers;
  /** The newest block that is final. */
  final(): Promise<BlockId>;
  /** The newest block. */
  head(): Promise<BlockId>;
  /** The block at that height of the chain that ends with `tip`. */
  at(number: number, tip: BlockId): Promise<BlockId>;
  /**
   * The lowest block that is not older than the time (epoch ms); `tip` + 1 when all are older. The lowest answer of any
   * node counts.
   */
  firstSince(time: number, tip: BlockId): Promise<number>;
  /** One page of deposits from block `from` to at most `tip`, an agreed block. `end` is the page's last block. */
  read(from: number, tip: BlockId): Promise<{ readonly end: BlockId; readonly blocks: readonly TransfersOfBlock[] }>;
}

export type DepositTransfersOf = (served: ServedChain) => DepositTransfers;
export const DEPOSIT_TRANSFERS = Symbol('DepositTransfers');
