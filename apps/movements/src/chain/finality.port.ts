import type { BlockId, Hex } from './block.port';

/** One of our contracts, which takes each reference once. */
export type ReferenceTaker = 'minter' | 'custody' | 'certificates';

/** What has to be known about a transaction before it is given up. */
export interface FinalityQuestion {
  readonly sender: Hex;
  /** Every hash that was ever signed for the intent. */
  readonly hashes: readonly Hex[];
  /** The reference that a contract accepts once for the intent; null for a transaction that has no such reference. */
  readonly reference: Hex | null;
  /** The contract that takes the reference; the minter when absent. */
  readonly by?: ReferenceTaker;
  /** Whether to find out if that contract accepts the sender as an operator. */
  readonly asksRole?: boolean;
}

export interface FinalReceipt {
  readonly hash: Hex;
  readonly succeeded: boolean;
  readonly blockNumber: number;
  readonly blockHash: Hex;
}

/** The answers of the nodes that agree, all read at one final block. */
export interface FinalityEvidence {
  readonly block: BlockId;
  /** How many transactions of the sender are mined at the block. */
  readonly minedCount: number;
  /** The receipts of those hashes that are mined at or below the block. */
  readonly receipts: readonly FinalReceipt[];
  /** Whether the reference was taken at the block. False when there is no reference. */
  readonly referenceTaken: boolean;
  /** Absent when it was not asked for. */
  readonly role?: ContractRole;
}

/** What a contract says about the sender. */
export interface ContractRole {
  /** The address, lower-case, of the contract that was asked. */
  readonly contract: Hex;
  /** Whether it accepts the sender as an operator. It reverts every movement of others. */
  readonly isOperator: boolean;
}
