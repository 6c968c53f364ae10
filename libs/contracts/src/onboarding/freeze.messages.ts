import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AmountOf, Page, PageRequest, Timestamp } from '../shared';
import type { StandingStep } from './freeze-events';
import type { AccountRecord } from './messages';
import type { ClosingReason, FreezeReason, ReleaseReason } from './reasons';
import { STOPPING_REASONS } from './reasons';
import type { StaffActor, ViewPurpose } from './review/review-words';

const { command, query } = requestsOf('onboarding');

/** A freeze, release or closing that one staff member requested and that waits for another to confirm. */
export interface PendingStep {
  /**
   * Counts the requests to freeze, release or close the account, from 1. A decision names the request that was read.
   */
  readonly request: number;
  readonly step: StandingStep;
  readonly reason: FreezeReason | ReleaseReason | ClosingReason;
  readonly evidence: Sealed | null;
  readonly requestedBy: string;
  readonly requestedAt: Timestamp;
  /** For a closing: the balances that it writes off. Absent if there are none. */
  readonly writeOff?: readonly AmountOf[];
}

/** Why an account is frozen. Both fields are null when the system froze it. */
export interface FreezeRecord {
  readonly reason: FreezeReason;
  readonly evidence: Sealed | null;
  readonly requestedBy: string | null;
  readonly confirmedBy: string | null;
  readonly frozenAt: Timestamp;
}

export const STANDING_ENTRIES = [
  'freeze-requested',
  'frozen',
  'release-requested',
  'released',
  'close-requested',
  'closed',
  'withdrawn',
  'refused',
] as const;

/** One change of the standing of an account, without personal data. */
export interface StandingEntry {
  readonly type: (typeof STANDING_ENTRIES)[number];
  readonly reason: FreezeReason | ReleaseReason | ClosingReason | null;
  readonly staff: readonly string[];
  readonly at: Timestamp;
}

/** The evidence is absent unless the staff member's view of it is recorded. */
type WithShownEvidence<T extends { readonly evidence: Sealed | null }> = Omit<T, 'evidence'> &
  Partial<Pick<T, 'evidence'>>;

/** The standing of an account with compliance. */
export interface AccountStanding {
  readonly account: AccountRecord;
  readonly pending: WithShownEvidence<PendingStep> | null;
  /** All current freezes, or those at the closing; empty while it is active. */
  readonly freezes: readonly WithShownEvidence<FreezeRecord>[];
  readonly history: readonly StandingEntry[];
}

/**
 * The reasons why money must not leave the account: those of {@link STOPPING_REASONS} that it is frozen for, or is to
 * be frozen for besides. None if it is not frozen.
 */
export const stoppingReasonsOf = ({ account, freezes, pending }: AccountStanding): readonly string[] =>
  account.status !== 'frozen'
    ? []
    : [...freezes, ...(pending?.step === 'freeze' ? [pending] : [])]
        .map(({ reason }) => reason as FreezeReason)
        .filter((reason) => STOPPING_REASONS.includes(reason));

/** The account that a staff member acts on. */
export interface ByStaff {
  accountId: string;
  staff: StaffActor;
}

// Commands of staff. All refuse `account-not-found` and `role-not-allowed`. `evidence` is sealed by
// `sealRequest({secret})` and has 1 to 2000 characters. Analysts and approvers can request, approvers can confirm.
// The response shows the evidence, and the view of it is recorded with the purpose `review`. While the holder's data is
// restricted, it does not show the evidence.
/**
 * Repeating the pending request changes nothing. Refuses `account-already-frozen` if the account is frozen for this
 * reason, and `freeze-step-pending` while another step waits, also one of the same staff member with another reason or
 * other evidence.
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
/** `request`: the number of the request that the staff member has read. */
interface FreezeDecision extends ByStaff {
  request: number;
}
/**
 * Confirms the request of another staff member. Repeating it changes nothing. Refuses `second-member-required` to the
 * requester, and `freeze-step-not-pending` even if another request is pending by now.
 */
export const ConfirmAccountFreeze = command<FreezeDecision, AccountStanding>('confirm-account-freeze', 'accountId');
/**
 * Refuses `review-changed` too, if an address of the account was found on a sanctions list after the request, and
 * `review-open` while an address review or a screening finding of the account is open, or a true match (other than one
 * of a politically exposed person) has not been cleared.
 */
export const ConfirmAccountRelease = command<FreezeDecision, AccountStanding>('confirm-account-release', 'accountId');
/**
 * Withdraws the request (by the requester) or rejects it (by an approver). Repeating it changes nothing. Refuses
 * `freeze-step-not-pending` even if another request is pending by now.
 */
export const CloseFreezeRequest = command<FreezeDecision, AccountStanding>('close-freeze-request', 'accountId');

/**
 * Freezes an account at once, without staff, because money is at stake: tokens that a reorg took back after completion,
 * or a Pix that the bank took back. A release always takes two staff members. `evidence` contains only ids, such as
 * that of a deposit or a transaction, and nothing personal. `nothingLost`: the account had not received the money.
 */
export const FreezeAccountAutomatically = command<
  { accountId: string; reason: FreezeReason; evidence: string; nothingLost?: true },
  AccountRecord
>('freeze-account-automatically', 'accountId');

/**
 * The standing with its evidence; null when the account does not exist. The view of the evidence is recorded first.
 * `showsReasons`: the caller shows reasons of address verdicts too, so the view is recorded without other evidence.
 * Refuses as `OpenReviewCase` does.
 */
export const OpenAccountStanding = command<
  ByStaff & { purpose: ViewPurpose; showsReasons?: boolean },
  AccountStanding | null
>('open-account-standing', 'accountId');
/** For staff and for other services, without the evidence. Null when the account does not exist. */
export const GetAccountStanding = query<{ accountId: string }, AccountStanding | null>(
  'get-account-standing',
  'accountId',
);
/** For staff: accounts that are frozen or have a pending freeze, newest first. */
export const ListFrozenAccounts = query<{ page: PageRequest }, Page<AccountRecord>>('list-frozen-accounts');
