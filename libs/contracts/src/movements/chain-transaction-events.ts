import { event } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { Timestamp } from '../shared';
import type {
  NftMovementPurpose,
  ServedPurpose,
  TokenMovementPurpose,
  TransactionPurpose,
} from './transaction-purposes';

/** Why a transaction was never signed. */
export type GiveUpReason = 'liquidity-unavailable' | 'compliance';

/**
 * Stream `chainTransaction-<transactionId>`: intent, signed bytes, end. Its nonce is in the stream of the key. That a
 * node has taken the bytes is not recorded: they go out again until the chain has mined them, so it would decide
 * nothing.
 */
export class TransactionIntended extends event('TransactionIntended')<{
  transactionId: string;
  chain: Chain;
  /** Address of the key that signs. */
  from: string;
  purpose: TransactionPurpose;
  /** Its effect is looked for in the blocks from here on. */
  intendedAt: Timestamp;
  /**
   * The lost transaction whose effect it brings about after all, under the same reference. Its resource is completed
   * already, so it ends restored or lost.
   */
  restores?: string;
}> {}
/**
 * The treasury holds enough for this payment: from here on it is signed, and never given up. Of payments of the
 * treasury alone.
 */
export class TransactionFunded extends event('TransactionFunded')<{
  transactionId: string;
  chain: Chain;
  fundedAt: Timestamp;
}> {}
/**
 * Nothing was signed, and nothing will be: the treasury could not pay in time, or staff found that a sanctions list
 * means the address.
 */
export class TransactionGivenUp extends event('TransactionGivenUp')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  reason: GiveUpReason;
  givenUpAt: Timestamp;
}> {}
/** Stored before the first broadcast: after a crash the same bytes go out again. Fees are wei for each unit of gas. */
export class TransactionSigned extends event('TransactionSigned')<{
  transactionId: string;
  chain: Chain;
  from: string;
  nonce: number;
  raw: string;
  txHash: string;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
  /**
   * Of a movement of tokens or of a certificate: its owner is pending from here on, under this hash. Nothing waits for
   * the hash of a mint.
   */
  purpose?: TokenMovementPurpose | NftMovementPurpose;
}> {}
/**
 * Other bytes for the same intent and nonce, with both fees raised. Whichever hash of the intent is mined first counts.
 */
export class TransactionFeeRaised extends event('TransactionFeeRaised')<{
  transactionId: string;
  chain: Chain;
  from: string;
  nonce: number;
  raw: string;
  txHash: string;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
  /** Hash of the bytes whose fees were raised. */
  replaces: string;
  /** As in {@link TransactionSigned}: its owner shows this hash from here on. */
  purpose?: TokenMovementPurpose | NftMovementPurpose;
}> {}
/**
 * The effect is on the chain, with enough confirmations. `txHash` is what brought it about: nearly always one of the
 * signed bytes, but another transaction when the chain had taken the reference before (the log was put back to an
 * earlier state).
 */
export class TransactionConfirmed extends event('TransactionConfirmed')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  txHash: string;
  blockNumber: string;
  blockHash: string;
  minedAt: Timestamp;
  confirmedAt: Timestamp;
  from: string;
  /** Null when another transaction brought it about. */
  nonce: number | null;
  /** Whether the block was known to be final. If not, it is watched until it is. */
  final: boolean;
}> {}
/** Mined and reverted in a final block: nothing else happened, and nothing will. */
export class TransactionReverted extends event('TransactionReverted')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  txHash: string;
  reason: string;
}> {}
/** Another transaction has used the nonce, at finality: these bytes can never be mined. */
export class TransactionSuperseded extends event('TransactionSuperseded')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  txHash: string;
  nonce: number;
}> {}
/**
 * A confirmed transaction is in no block any more. What it was for stays completed, the house bears the loss and the
 * account is frozen. The bytes go out again, until the transaction is restored or lost.
 */
export class ReorgedAfterCompletion extends event('ReorgedAfterCompletion')<{
  transactionId: string;
  chain: Chain;
  purpose: TransactionPurpose;
  from: string;
  nonce: number;
  /** What had been confirmed, and where. */
  txHash: string;
  blockNumber: string;
  blockHash: string;
  detectedAt: Timestamp;
}> {}
/** After a reorg, the effect is on the chain again with enough confirmations. */
export class TransactionRestored extends event('TransactionRestored')<{
  transactionId: string;
  chain: Chain;
  purpose: TransactionPurpose;
  from: string;
  nonce: number | null;
  txHash: string;
  blockNumber: string;
  blockHash: string;
  minedAt: Timestamp;
  restoredAt: Timestamp;
  final: boolean;
}> {}
/**
 * After a reorg, a final block says that the bytes can have no effect any more: the loss stays with the house until an
 * operator has it sent again.
 */
export class TransactionLost extends event('TransactionLost')<{
  transactionId: string;
  chain: Chain;
  purpose: TransactionPurpose;
  txHash: string;
  reason: string;
}> {}

export type ChainTransactionEvent =
  | TransactionIntended
  | TransactionFunded
  | TransactionGivenUp
  | TransactionSigned
  | TransactionFeeRaised
  | TransactionConfirmed
  | TransactionReverted
  | TransactionSuperseded
  | ReorgedAfterCompletion
  | TransactionRestored
  | TransactionLost;
