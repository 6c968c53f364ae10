import type { AssetId } from '@ponte/kernel';
import type { BlockId, Hex } from '../chain/block.port';
import type { TokenRequest } from '../chain/contract-call.port';

/** One Transfer log of a known token, as returned by one node. Addresses and hashes are lower-case. */
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

/** Who sent a transaction, and the block that has it. */
export interface MinedTransaction {
  readonly sender: Hex;
  readonly blockHash: Hex;
}

/**
 * What is read from one node, mostly from its logs. Everything one method returns comes from this node alone. All reads
 * reject with `Unavailable` ('chain-unavailable') when the node does not answer, or returns something that was not
 * requested.
 */
export interface LogNode {
  headBlock(): Promise<BlockId>;
  /** The newest block that the node considers final. */
  finalBlock(): Promise<BlockId>;
  /** The block at that height of the node's chain with its time (epoch ms); null above its head. */
  blockWithTime(number: number): Promise<(BlockId & { readonly time: number }) | null>;
  /**
   * Transfers of known tokens in these blocks, both included, and only to these recipients unless they are null.
   * `too-much` when the node refuses to search so many blocks at once.
   */
  transferLogs(
    from: number,
    to: number,
    recipients: readonly Hex[] | null,
  ): Promise<readonly TransferLog[] | 'too-much'>;
  /** Units of all known tokens together that each address holds at that block, in the order of `holders`. */
  unitsHeld(block: BlockId, holders: readonly Hex[]): Promise<readonly bigint[]>;
  /**
   * Whether each of these wallets is deployed at that block, in the order of `wallets`. It is deployed with the first
   * movement out of it, and remains so.
   */
  areDeployed(block: BlockId, wallets: readonly Hex[]): Promise<readonly boolean[]>;
  /**
   * As `transferLogs`, in the block with that hash. Rejects with `Unavailable` when the node does not have the block.
   */
  blockTransfers(blockHash: Hex, recipients: readonly Hex[]): Promise<readonly TransferLog[] | 'too-much'>;
  /**
   * As `blockTransfers`, in the block of that height or hash, from the receipts of all its transactions: for a block
   * whose logs the node refuses. Takes as many requests as the block has transactions, so a node that refuses every
   * search for logs rejects with `Unavailable` at once, without reading receipts.
   */
  receiptTransfers(block: number | Hex, recipients: readonly Hex[]): Promise<readonly TransferLog[]>;
  /** Null when the node does not have the transaction in a block. */
  minedTransaction(txHash: Hex): Promise<MinedTransaction | null>;
  /**
   * The transactions of a block in which our custody contract moved a certificate. Such a transaction runs code of the
   * receiver.
   */
  certificateMoves(blockHash: Hex): Promise<readonly Hex[]>;
  /** The number of the sender's transactions that are mined at that block. */
  minedCount(sender: Hex, block: BlockId): Promise<number>;
  /**
   * Whether the transaction has the log of this movement of tokens. Rejects with `Unavailable` when the node does not
   * have the transaction in a block.
   */
  hasMovement(txHash: Hex, request: TokenRequest): Promise<boolean>;
}
