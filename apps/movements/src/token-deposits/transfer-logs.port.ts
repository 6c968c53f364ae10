import type { AssetId } from '@ponte/kernel';
import type { BlockId, Hex } from '../chain/block.port';

/** One Transfer log of a known token, as one node tells it. Addresses and hashes are lower-case. */
export interface TransferLog {
  readonly asset: AssetId;
  readonly from: Hex;
  readonly to: Hex;
  /** Units of the token's contract. */
  readonly units: bigint;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly txHash: Hex;
  readonly logIndex: number;
}

/** The receipt of a transaction, as far as its logs are checked against it. */
export interface LoggedTransaction {
  readonly sender: Hex;
  readonly blockHash: Hex;
  /** Indices of its Transfer logs of known tokens. */
  readonly logIndices: readonly number[];
}

/**
 * One node, as far as deposits are concerned: what one method reads comes from this node alone. All reads reject with
 * `Unavailable`
 * ('chain-unavailable') when the node does not answer, or answers what was not asked.
 */
export interface LogNode {
  headBlock(): Promise<BlockId>;
  /** The newest block that the node calls final. */
  finalBlock(): Promise<BlockId>;
  /** The block at that height of the node's chain with its time (epoch ms); null above its head. */
  blockWithTime(number: number): Promise<(BlockId & { readonly time: number }) | null>;
  /**
   * Transfers of known tokens in these blocks, both included; only to these recipients unless they are null. `too-much`
   * when the node will
   * not look at so many blocks at once.
   */
  transferLogs(
    from: number,
    to: number,
    recipients: readonly Hex[] | null,
  ): Promise<readonly TransferLog[] | 'too-much'>;
  /** Null when the node does not have the transaction in a block, or it was reverted. */
  loggedTransaction(txHash: Hex): Promise<LoggedTransaction | null>;
}
