import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { FreezeStep } from './freeze-events';
import type { AccountRecord } from './messages';
import type { FreezeReason, ReleaseReason } from './reasons';
import type { StaffActor } from './review/review-words';

const { command, query } = requestsOf('onboarding');

/** A freeze or a release that one member of staff asked for, and that waits for another. */
export interface PendingFreezeStep {
  readonly step: FreezeStep;
  readonly reason: FreezeReason | ReleaseReason;
  readonly evidence: Sealed | null;
  readonly requestedBy: string;
  readonly requestedAt: Timestamp;
}

/** Why an account is frozen. Both members are null when the system froze it. */
export interface FreezeRecord {
  readonly reason: FreezeReason;
  readonly evidence: Sealed | null;
  readonly requestedBy: string | null;
  readonly confirmedBy: string | null;
  readonly frozenAt: Timestamp;
}

/** One thing that happened to the standing of an account; nothing personal. */
export interface StandingEntry {
  readonly type: 'freeze-requested' | 'frozen' | 'release-requested' | 'released' | 'withdrawn' | 'refused';
  readonly reason: FreezeReason | ReleaseReason | null;
  readonly staff: readonly string[];
  readonly at: Timestamp;
}

/** How an account stands with compliance. */
export interface AccountStanding {
  readonly account: AccountRecord;
  readonly pending: PendingFreezeStep | null;
  /** Every reason for which it is frozen now; empty while it is active. */
  readonly freezes: readonly FreezeRecord[];
  readonly history: readonly StandingEntry[];
}

interface ByStaff {
  accountId: string;
  staff: StaffActor;
}

// By staff. All refuse `account-not-found` and `role-not-allowed`. `evidence` is sealed by `sealRequest({secret})`, 1
// to 2000 characters. Asking is for analysts and approvers, confirming for approvers.
/**
 * Refuses `account-already-frozen`, and `freeze-step-pending` while another step waits. The same member asking again is
 * answered.
 */
export const RequestAccountFreeze = command<ByStaff & { reason: FreezeReason; evidence: Sealed }, AccountStanding>(
  'request-account-freeze',
  'accountId',
);
/** Refuses `account-not-frozen` and `freeze-step-pending`. */
export const RequestAccountRelease = command<ByStaff & { reason: ReleaseReason; evidence: Sealed }, AccountStanding>(
  'request-account-release',
  'accountId',
);
/**
 * Carries out what another member asked for. Refuses `second-member-required` to who asked, and
 * `freeze-step-not-pending`.
 */
export const ConfirmAccountFreeze = command<ByStaff, AccountStanding>('confirm-account-freeze', 'accountId');
export const ConfirmAccountRelease = command<ByStaff, AccountStanding>('confirm-account-release', 'accountId');
/** Who asked withdraws; an approver refuses. Refuses `freeze-step-not-pending`. */
export const CloseFreezeRequest = command<ByStaff, AccountStanding>('close-freeze-request', 'accountId');

/**
 * The system freezes an account at once, without staff, because money is at stake: tokens that a reorg took back after
 * completion, or a Pix that the bank took back. Releasing it always takes two members of staff. `evidence` names ids
 * alone, such as a deposit or a transaction, and nothing personal.
 */
export const FreezeAccountAutomatically = command<
  { accountId: string; reason: FreezeReason; evidence: string },
  AccountRecord
>('freeze-account-automatically', 'accountId');

/** For staff. Null when there is no such account. */
export const GetAccountStanding = query<{ accountId: string }, AccountStanding | null>(
  'get-account-standing',
  'accountId',
);
/** For staff: accounts that are frozen, or that a freeze waits for; newest first. */
export const ListFrozenAccounts = query<{ page: PageRequest }, Page<AccountRecord>>('list-frozen-accounts');
