import { requestsOf } from '@ponte/event-sourcing';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { Failure, Page, PageRequest, Timestamp } from '../shared';
import type { DepositType, DepositVoidReason, UnallocatedReason } from './deposit-events';
import { isSealedFor } from '../onboarding/sealing';
import type { SuspenseCause, SuspenseStatus } from './suspense-events';
import type { SuspenseSending } from './suspense-sending-events';
import { LEDGER_TRANSIT_SUBJECT } from './withdrawal.messages';

const { command, query } = requestsOf('ledger');

/** What staff did with the money at the bank. */
export interface SuspenseSettlement {
  /** Counts the proposals for the deposit, from 1. */
  readonly proposal: number;
  /** The bank's reference of the payment: an end-to-end id or the control number of a TED. */
  readonly bankReference: string;
  /** Sealed under the payer. */
  readonly note: Sealed;
  readonly proposedBy: string;
  readonly proposedAt: Timestamp;
  /** Null until another staff member has confirmed it. */
  readonly confirmedBy: string | null;
}

/**
 * A deposit whose money is, or was, in suspense: the bank refused its return, no account may receive it, or it is
 * tokens of a closed account.
 */
export interface FailedReturn {
  readonly depositId: string;
  readonly cause: SuspenseCause;
  readonly status: SuspenseStatus;
  /** Null when the payment named no Ponte account. */
  readonly accountId: string | null;
  /** The withdrawal whose payment came back; null for any other deposit. */
  readonly withdrawalId: string | null;
  readonly type: DepositType;
  readonly asset: AssetId;
  readonly amount: string;
  readonly endToEndId: string | null;
  /** Why it must be returned, or why no account may receive it. */
  readonly reason: DepositVoidReason | UnallocatedReason;
  /** Number of attempts to return it, each with its own id. */
  readonly attempts: number;
  /** When the bank refused the last attempt, or when the unallocated money was booked. */
  readonly failedAt: Timestamp;
  /** The last proposal, unless it was rejected. It is unconfirmed if the bank took the payment back meanwhile. */
  readonly settlement: SuspenseSettlement | null;
  /** Tokens: the last proposal, unless it was rejected or has failed. */
  readonly sending: SuspenseSending | null;
  /** Tokens: why the last proposal that was confirmed moved nothing. */
  readonly sendingFailure: Failure | null;
  /** When it was settled; null before. */
  readonly settledAt: Timestamp | null;
}

/** Null fields do not filter. */
export interface FailedReturnFilters {
  readonly cause: SuspenseCause | null;
  readonly status: SuspenseStatus | null;
}

/** For staff: deposits whose money is or was in suspense, also of unknown accounts. Newest deposit first. */
export const ListFailedReturns = query<{ filters: FailedReturnFilters; page: PageRequest }, Page<FailedReturn>>(
  'list-failed-returns',
);

/** A deposit in suspense, and its payer as a person, see `payerIdOf`. */
export interface FailedReturnOfPayer {
  readonly failedReturn: FailedReturn;
  readonly payerId: string;
}
/** For staff. Null if no money of the deposit is, or was, in suspense. */
export const GetFailedReturn = query<{ depositId: string }, FailedReturnOfPayer | null>(
  'get-failed-return',
  'depositId',
);

/** Seals the note for transit to the ledger, which seals it again under the payer. */
export const sealSettlementNote = (personalData: Pick<PersonalData, 'seal'>, note: string): Promise<Sealed> =>
  personalData.seal(LEDGER_TRANSIT_SUBJECT, note);

/** Throws `SealBroken` when it was tampered with, and a TypeError when it was sealed under another subject. */
export async function openSettlementNote(personalData: Pick<PersonalData, 'open'>, note: Sealed): Promise<string> {
  if (!isSealedFor(LEDGER_TRANSIT_SUBJECT, note))
    throw new TypeError('the note of a settlement must be encrypted under the transit subject of the ledger');
  return personalData.open(note);
}

interface ProposeSuspenseSettlementPayload {
  readonly depositId: string;
  readonly bankReference: string;
  /** What was done, sealed with {@link sealSettlementNote}. */
  readonly note: Sealed;
  readonly staffId: string;
}
/**
 * A staff member sent the money back at the bank. Repeating the pending proposal changes nothing. Refuses
 * `failed-return-not-found`, `settlement-pending` if another proposal is pending, `payment-already-settled`, and
 * `bank-reference-already-used` if the reference settled another deposit, or `bank-reference-booked` if it is that of a
 * payment that Ponte made or received.
 */
export const ProposeSuspenseSettlement = command<ProposeSuspenseSettlementPayload, FailedReturn>(
  'propose-suspense-settlement',
  'depositId',
);

/** `proposal`: the number of the proposal that the staff member has checked. */
export interface DecideSuspenseSettlementPayload {
  readonly depositId: string;
  readonly proposal: number;
  readonly staffId: string;
}

/**
 * Another staff member confirms the pending proposal, and the money leaves suspense; tokens leave it once they were
 * sent. Repeating it changes nothing.
 * Refuses `failed-return-not-found`, `settlement-not-pending` even if another proposal is pending,
 * `second-member-required` to the proposer, `bank-reference-already-used`, `bank-reference-booked`, and
 * `payer-account-frozen` while the account of the payer is frozen for one of `STOPPING_REASONS`.
 */
export const ConfirmSuspenseSettlement = command<DecideSuspenseSettlementPayload, FailedReturn>(
  'confirm-suspense-settlement',
  'depositId',
);

/**
 * The pending proposal was wrong: the money stays in suspense, and another settlement can be proposed. Repeating it
 * changes nothing. Refuses
 * `failed-return-not-found`, `settlement-not-pending`, `payment-already-settled`, and `second-member-required` to the
 * proposer.
 */
export const RejectSuspenseSettlement = command<DecideSuspenseSettlementPayload, FailedReturn>(
  'reject-suspense-settlement',
  'depositId',
);
