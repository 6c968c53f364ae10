import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import type { DecimalText, Timestamp } from '../shared';
import type { AddressHit } from './withdrawal-events';

export type DepositType = 'pix' | 'token' | 'manual-fx' | 'brlv' | 'ted';
export type DepositVoidReason =
  | 'payer-tax-id-mismatch'
  | 'amount-mismatch'
  | 'paid-late'
  | 'paid-twice'
  | 'charge-closed'
  | 'unknown-target'
  | 'account-not-active'
  | 'order-rolled-back'
  | 'taken-back'
  | 'refused-by-staff'
  | 'compliance'
  | 'reorged';

/**
 * Where a Pix came from. The account, branch, name and tax id of the sender are sealed under the sender's own subject.
 */
export interface PixCoordinates {
  readonly sourceTaxId: Sealed;
  readonly sourceTaxIdFingerprint: string;
  readonly sourceLegalName: Sealed;
  readonly sourceBankCode: string;
  readonly sourceType: string;
  readonly sourceAccountNumber: Sealed;
  readonly sourceBranchCode: Sealed;
  /** The txid that was paid: a charge's, or the compact id of an account. */
  readonly target: string;
}

/** Where tokens came from. Addresses are lower-case and public, so nothing is sealed. */
export interface TokenCoordinates {
  readonly sourceChain: Chain;
  readonly sourceAddress: string;
  readonly targetAddress: string;
  readonly txHash: string;
  /** The movement of ours that brought them, from another account with us; null when they came from outside. */
  readonly movementId: string | null;
}

/** Where USD came from and where it was paid to, as staff wrote it down, sealed under the holder of the account. */
export interface UsdCoordinates {
  readonly source: Sealed | null;
  readonly target: Sealed | null;
}

export type DepositCoordinates = PixCoordinates | UsdCoordinates | TokenCoordinates;
/** Whether the deposit is a Pix or a TED, for which the bank reports the sender. */
export const isBankCoordinates = (coordinates: DepositCoordinates): coordinates is PixCoordinates =>
  'sourceTaxId' in coordinates;

/** What a deposit that staff record rests on. */
export interface DepositEvidence {
  /** Of the payment at the bank: a SWIFT reference or a line of the statement. */
  readonly bankReference: string;
  /** SHA-256 of the document that shows the payment, lower-case hex. */
  readonly documentSha256: string;
}

/** Whether the deposit is tokens that arrived at one of our wallets. */
export const isTokenCoordinates = (coordinates: DepositCoordinates): coordinates is TokenCoordinates =>
  'sourceChain' in coordinates;

/** The log of a chain that tokens from outside arrived by. Such a deposit is credited once its block is final. */
export interface TokenArrival {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly logIndex: number;
}

/** Stream `deposit-<depositId>`; the id derives from the endToEndId, so a Pix is a deposit once for ever. */
export class DepositCreated extends event('DepositCreated')<{
  depositId: string;
  /** The account that is credited, or that the paid charge belongs to; null when the target is unknown. */
  accountId: string | null;
  parentId: string | null;
  type: DepositType;
  asset: AssetId;
  amount: DecimalText;
  /** The payment's id at the bank; of USD, the bank's reference. Null of a deposit that did not come through a bank. */
  endToEndId: string | null;
  /** The order whose charge was paid, if any. */
  orderId: string | null;
  /** The withdrawal whose payment came back; absent of any other deposit. */
  withdrawalId?: string;
  /** Of a deposit that staff recorded; another member of staff confirms it. */
  recorded?: { readonly staffId: string; readonly evidence: DepositEvidence };
  coordinates: DepositCoordinates;
  /** Of tokens from outside; absent of any other deposit. */
  arrival?: TokenArrival;
  /** Settlement time at the bank: lateness is judged by it. Of tokens, the time of the block. */
  settledAt: Timestamp;
  createdAt: Timestamp;
}> {}

/** All checks passed: the money is the account's. */
export class DepositConfirmed extends event('DepositConfirmed')<{
  depositId: string;
  accountId: string;
  confirmedAt: Timestamp;
  /** Who of the staff confirmed it; absent where the rules did. */
  confirmedBy?: string;
}> {}

/**
 * Tokens from outside: their block is final, so they can be credited. With `hits`, sanctions lists name the sender, and
 * staff decide first.
 */
export class DepositFinalized extends event('DepositFinalized')<{
  depositId: string;
  finalizedAt: Timestamp;
  hits?: readonly AddressHit[];
}> {}

export class DepositCredited extends event('DepositCredited')<{
  depositId: string;
  accountId: string;
  processedAt: Timestamp;
  orderId: string | null;
  /** What the webhook tells, repeated so that it needs no other look-up. */
  type: DepositType;
  asset: AssetId;
  amount: DecimalText;
  coordinates: DepositCoordinates;
  /** Of token deposits, whose webhook tells it. */
  createdAt?: Timestamp;
}> {}

/**
 * Refused or returned; the money goes back under `returnId`. Null: the bank took it back by itself (`taken-back`), so
 * that there is nothing to return.
 */
export class DepositVoided extends event('DepositVoided')<{
  depositId: string;
  accountId: string | null;
  voidedAt: Timestamp;
  reason: DepositVoidReason;
  returnId: string | null;
  type: DepositType;
  asset: AssetId;
  amount: DecimalText;
  orderId: string | null;
  /** Of tokens whose block was replaced (`reorged`), whose webhook tells them. */
  tokenCoordinates?: TokenCoordinates;
}> {}

/**
 * A credited payment whose money has left the books again goes back to its payer; the deposit stays `credited`, which
 * it was.
 */
export class DepositReturnRequested extends event('DepositReturnRequested')<{
  depositId: string;
  returnId: string;
  reason: DepositVoidReason;
  requestedAt: Timestamp;
}> {}

/** The bank certainly did not carry the return out. `nextReturnId` is tried next; null: a person has to look. */
export class DepositReturnFailed extends event('DepositReturnFailed')<{
  depositId: string;
  returnId: string;
  nextReturnId: string | null;
  failedAt: Timestamp;
}> {}

/** The bank took the return. */
export class DepositReturned extends event('DepositReturned')<{
  depositId: string;
  returnId: string;
  returnedAt: Timestamp;
}> {}

export const DEPOSIT_EVENTS = [
  DepositCreated,
  DepositConfirmed,
  DepositFinalized,
  DepositCredited,
  DepositVoided,
  DepositReturnRequested,
  DepositReturnFailed,
  DepositReturned,
] as const;
export type DepositEvent = InstanceType<(typeof DEPOSIT_EVENTS)[number]>;
