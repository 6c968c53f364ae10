import { event } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { Timestamp } from '../shared';
import type { GiveUpReason, KeyStatement, RevokedKey } from './give-up-reasons';
import type {
  NftMovementPurpose,
  ServedPurpose,
  TokenMovementPurpose,
  TransactionPurpose,
} from './transaction-purposes';

/**
 * The movement was refused before its transaction was intended, so its owner has failed or is about to. If a request
 * for it arrives anyway, the transaction is intended and given up at once, whatever keys the process has.
 */
export class TransactionRefused extends event('TransactionRefused')<{
  transactionId: string;
  chain: Chain;
  /** The reason with which the transaction is given up if it is requested anyway. */
  reason: GiveUpReason;
  refusedAt: Timestamp;
}> {}
/**
 * Stream `chainTransaction-<transactionId>`: the intent, the signed bytes and the outcome. The nonce is allocated in
 * the stream of the key. Broadcasts are not recorded, because the bytes are sent again until they are mined.
 */
export class TransactionIntended extends event('TransactionIntended')<{
  transactionId: string;
  chain: Chain;
  /** Address of the signing key. */
  from: string;
  purpose: TransactionPurpose;
  /** The chain is searched for the effect of the transaction from this time on. */
  intendedAt: Timestamp;
  /** When the target was screened, if that was before the request: it is screened again before it is signed. */
  screenedAt?: Timestamp;
  /** The lost transaction whose effect this one repeats. Its resource is completed: this one ends restored or lost. */
  restores?: string;
}> {}
/**
 * Treasury payments only. Tokens of the treasury are set aside, so the payment is signed next; only `compliance`,
 * `account-not-active` and `payment-taken-back` can still stop it.
 */
export class TransactionFunded extends event('TransactionFunded')<{
  transactionId: string;
  chain: Chain;
  fundedAt: Timestamp;
}> {}
/**
 * The transaction has moved nothing and never will: the treasury could not pay in time (`liquidity-unavailable`), staff
 * decided that the address is the sanctioned one (`compliance`), the amount is above what the signer allows for one
 * transaction (`amount-above-maximum`), the account was closed (`account-not-active`), the bank took the payment of the
 * order back (`payment-taken-back`), the transaction had been refused before its intent (`refused`), or an operator
 * stated that its key will never be available again (`key-unavailable`).
 * Only in the last case may it have been signed: then `revoked` says why its bytes can have no effect any more.
 */
export class TransactionGivenUp extends event('TransactionGivenUp')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  reason: GiveUpReason;
  /** With `key-unavailable` only: the operator, and why the key will not be available again. */
  statement?: KeyStatement;
  /** Set if it was signed: the hash of the bytes that were sent last. */
  txHash?: string;
  /** Set if it was signed: why none of its bytes can have an effect. */
  revoked?: RevokedKey;
  givenUpAt: Timestamp;
}> {}
/**
 * Appended before the first broadcast, so that the same bytes are sent again after a crash. Fees are in wei per unit of
 * gas.
 */
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
   * Set for a movement of tokens or of a certificate: its owner becomes pending with this hash. Absent for other
   * purposes, which do not wait for a hash.
   */
  purpose?: TokenMovementPurpose | NftMovementPurpose;
}> {}
/** The transaction was signed again with the same nonce and both fees raised. Whichever hash is mined first counts. */
export class TransactionFeeRaised extends event('TransactionFeeRaised')<{
  transactionId: string;
  chain: Chain;
  from: string;
  nonce: number;
  raw: string;
  txHash: string;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
  /** Hash of the signed transaction that is replaced. */
  replaces: string;
  /** As in {@link TransactionSigned}: its owner shows this hash from now on. */
  purpose?: TokenMovementPurpose | NftMovementPurpose;
}> {}
/**
 * The effect is on the chain, with enough confirmations. `txHash` is nearly always one of the signed transactions. It
 * is another one if the chain had already accepted the reference (after the log was restored to an earlier state).
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
  /** Null if `txHash` is not one of the signed transactions. */
  nonce: number | null;
  /** Whether the block was known to be final. If not, it is watched until it is. */
  final: boolean;
}> {}
/** The transaction was mined and reverted in a final block. It had no other effect and will have none. */
export class TransactionReverted extends event('TransactionReverted')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  txHash: string;
  reason: string;
}> {}
/** Another transaction used the nonce, and that is final: these bytes can never be mined. */
export class TransactionSuperseded extends event('TransactionSuperseded')<{
  transactionId: string;
  chain: Chain;
  purpose: ServedPurpose;
  txHash: string;
  nonce: number;
}> {}
/**
 * A confirmed transaction is no longer in any block. Its resource stays completed, the house bears the loss and the
 * account is frozen. The bytes are sent again until the transaction is restored or lost.
 */
export class ReorgedAfterCompletion extends event('ReorgedAfterCompletion')<{
  transactionId: string;
  chain: Chain;
  purpose: TransactionPurpose;
  from: string;
  nonce: number;
  /** Hash and block in which it had been confirmed. */
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
 * After a reorg, it is final that the signed bytes can have no effect any more, or that a transaction that was to
 * restore the effect is never signed, or has no effect (`key-unavailable`). The house bears the loss until an operator
 * has the transaction repeated.
 */
export class TransactionLost extends event('TransactionLost')<{
  transactionId: string;
  chain: Chain;
  purpose: TransactionPurpose;
  txHash: string;
  reason: string;
  /** With `key-unavailable` only. */
  statement?: KeyStatement;
  /** With `key-unavailable` only, if it was signed. */
  revoked?: RevokedKey;
}> {}

export type ChainTransactionEvent =
  | TransactionRefused
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
