import { command, query } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { PageCursor, Timestamp } from '../shared';
import type { AccountRequestStatus, ReviewStage } from '../state-machines';
import type { OnboardingMode } from './events';
import type { EvidenceFileRecord, AccountRequestRecord } from './request-messages';
import type { TraitKind } from './trait-events';
import type { RequestDetails, ScreeningHit, SealedExternalWallet } from './request-events';
import type {
  HitVerdict,
  InformationItem,
  InternalReason,
  PartnerReason,
  ReviewCause,
  StaffActor,
  VerdictReason,
  StaffRole,
  ViewPurpose,
} from './review-words';

/** A line of the queue: nothing personal, so that looking at it is no view of personal data. */
export interface QueueItem {
  readonly requestId: string;
  readonly parentId: string;
  readonly parentAlias: string;
  readonly accountId: string;
  readonly mode: OnboardingMode;
  readonly status: AccountRequestStatus;
  readonly reviewStage: ReviewStage | null;
  readonly rewardTier: RewardTier;
  readonly country: string;
  readonly causes: readonly ReviewCause[];
  readonly fourEyes: boolean;
  readonly approvals: number;
  readonly escalated: boolean;
  readonly assignedTo: string | null;
  readonly externalId: string | null;
  readonly createdAt: Timestamp;
  readonly statusUpdatedAt: Timestamp;
  /** When it came to where it stands. */
  readonly stageSince: Timestamp;
  readonly informationDueAt: Timestamp | null;
}

export interface QueueFilters {
  readonly statuses: readonly AccountRequestStatus[];
  readonly stages: readonly ReviewStage[];
  /** A staff id; `none` for the unclaimed. */
  readonly assignedTo: string | null;
  readonly parentId: string | null;
  readonly escalated: boolean | null;
  /** With any of these; absent or empty for no filter. */
  readonly causes?: readonly ReviewCause[];
  /** Age: only those that were made before or at this time. */
  readonly createdBefore: Timestamp | null;
  readonly createdAfter: Timestamp | null;
}

/** Everything: no filter. */
export const NO_QUEUE_FILTERS: QueueFilters = {
  statuses: [],
  stages: [],
  assignedTo: null,
  parentId: null,
  escalated: null,
  createdBefore: null,
  createdAfter: null,
};

export interface QueuePage {
  readonly items: readonly QueueItem[];
  readonly next: PageCursor | null;
  /**
   * Of everything that is open, whatever the filters: how many are pending in each stage, how many `approved` and
   * `provisioning-failed`.
   */
  readonly counts: Readonly<Record<string, number>>;
}

/** One line of what happened to a request. `actor` is a staff id, an API key or a policy. */
export interface HistoryEntry {
  readonly type: string;
  readonly at: Timestamp;
  readonly actor: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface ChecklistItem {
  /** `rule-1` … `rule-12`, `screening`, `liveness`, `four-eyes`. */
  readonly check: string;
  readonly title: string;
  /** Of a request that is decided, what was left open is `not-applicable`. */
  readonly outcome: 'passed' | 'attention' | 'pending' | 'not-applicable';
}

/** Other requests that have one thing in common with this one; nothing personal. */
export interface RequestDuplicate {
  readonly kind: TraitKind;
  readonly requests: readonly {
    readonly requestId: string;
    readonly status: AccountRequestStatus;
    readonly parentAlias: string;
    readonly samePerson: boolean;
  }[];
}

/** Who looked at the person's data. */
export interface ViewEntry {
  readonly staffId: string;
  readonly roles: readonly StaffRole[];
  readonly purpose: ViewPurpose;
  readonly what: 'case' | 'document' | 'privacy-report';
  readonly viewedAt: Timestamp;
}

/** A hit with the verdict that counts for it; null while it has none. */
export interface JudgedHit extends ScreeningHit {
  readonly verdict: {
    readonly verdict: HitVerdict;
    readonly reason: VerdictReason;
    readonly note: Sealed | null;
    readonly staffId: string;
    readonly judgedAt: Timestamp;
  } | null;
}

/**
 * The full case. Personal members are sealed: the edge opens them for the one who asked, and shows `[erased]` when told
 * so.
 */
export interface ReviewCase {
  readonly item: QueueItem;
  readonly request: AccountRequestRecord;
  readonly details: RequestDetails;
  readonly externalWallets: readonly SealedExternalWallet[];
  /** Of every document, power of attorney and paper that the case names and that still exists. */
  readonly files: readonly (EvidenceFileRecord & { readonly label: string })[];
  readonly screening: readonly {
    readonly person: 'holder' | 'representative';
    readonly round: number;
    readonly hits: readonly JudgedHit[];
    readonly recordedAt: Timestamp;
  }[];
  readonly liveness: {
    readonly provider: string;
    readonly outcome: 'passed' | 'failed' | 'pending';
    readonly decidedAt: Timestamp;
  } | null;
  /** Requests of other people that have named the session by now, the first 20. */
  readonly livenessSharedWith?: readonly string[];
  /** At most 50 requests of each kind. */
  readonly duplicates: readonly RequestDuplicate[];
  readonly checklist: readonly ChecklistItem[];
  readonly approvals: readonly string[];
  readonly internalReason: InternalReason | null;
  /** What staff wrote when they escalated and decided, oldest first. */
  readonly staffNotes?: readonly {
    readonly type: 'ReviewEscalated' | 'ReviewDecided';
    readonly staffId: string;
    readonly note: Sealed;
    readonly at: Timestamp;
  }[];
  /** What the partner wrote with the information it sent. */
  readonly notes: readonly { readonly note: Sealed; readonly at: Timestamp }[];
  readonly history: readonly HistoryEntry[];
  /**
   * With what the viewer added, sealed under the holder. It is for colleagues: a privacy report, which the person may
   * read, does not have it.
   */
  readonly views: readonly (ViewEntry & { readonly note: Sealed | null })[];
  /** The person's data is restricted: an erasure was asked for that the law forbids as yet. */
  readonly restricted: boolean;
}

const byRequest = (payload: { requestId: string }) => payload.requestId;

/**
 * Oldest first by (createdAt, id): who waits longest comes first. `newest` turns it round. Names and numbers are not in
 * it.
 */
export const ListReviewQueue = query<
  { filters: QueueFilters; order: 'oldest' | 'newest'; limit: number; cursor: PageCursor | null },
  QueuePage
>('onboarding', 'list-review-queue');
/**
 * Writes down who looks and why, durably, before it answers; hence a command. Null when there is no such request.
 * Refuses `role-not-allowed`, and `personal-data-restricted` unless an approver or auditor looks for a legal reason.
 * `note` is sealed by `sealRequest({secret})`.
 */
export const OpenReviewCase = command<
  { requestId: string; staff: StaffActor; purpose: ViewPurpose; note: Sealed | null },
  ReviewCase | null
>('onboarding', 'open-review-case', byRequest);
/**
 * Before a document's bytes are shown: the same record and refusals; null when the case does not name such a file or it
 * is gone.
 */
export const OpenReviewFile = command<
  { requestId: string; fileId: string; staff: StaffActor; purpose: ViewPurpose },
  EvidenceFileRecord | null
>('onboarding', 'open-review-file', byRequest);
/**
 * How a case stands, without anything personal: enough to keep an open page up to date without looking at the person
 * again.
 */
export interface ReviewHistory {
  readonly entries: readonly HistoryEntry[];
  readonly item: QueueItem;
  readonly checklist: readonly ChecklistItem[];
  /** Staff who have approved. */
  readonly approvals: readonly string[];
}
export const GetReviewHistory = query<{ requestId: string }, ReviewHistory | null>(
  'onboarding',
  'get-review-history',
  byRequest,
);

/*
 * Decisions of staff. All refuse `account-request-not-found`, `role-not-allowed`, `review-not-open` (nothing waits for
 * staff) and `review-claimed` (someone else has it). They answer the queue's line as it then stands. Notes are sealed
 * by `sealRequest({secret})`.
 */

/** An approver may take over what someone else has. */
export const ClaimReview = command<{ requestId: string; staff: StaffActor; takeOver: boolean }, QueueItem>(
  'onboarding',
  'claim-review',
  byRequest,
);
export const ReleaseReview = command<{ requestId: string; staff: StaffActor }, QueueItem>(
  'onboarding',
  'release-review',
  byRequest,
);
export const EscalateReview = command<{ requestId: string; staff: StaffActor; note: Sealed | null }, QueueItem>(
  'onboarding',
  'escalate-review',
  byRequest,
);
export const AskInformation = command<
  {
    requestId: string;
    staff: StaffActor;
    items: readonly InformationItem[];
    issues: readonly PartnerReason[];
    note: Sealed | null;
  },
  QueueItem
>('onboarding', 'ask-information', byRequest);
/**
 * Says whether a hit is the person, before the case can be approved. A true match is final (`verdict-final`). Refuses
 * `screening-hit-not-found` and `invalid-enum-value`.
 */
export const JudgeScreeningHit = command<
  {
    requestId: string;
    staff: StaffActor;
    person: 'holder' | 'representative';
    list: string;
    entryId: string;
    verdict: HitVerdict;
    reason: VerdictReason;
    note: Sealed | null;
  },
  QueueItem
>('onboarding', 'judge-screening-hit', byRequest);
/**
 * Refuses `screening-verdict-required` while a hit has no verdict, and `true-match-found`: such a case can only be
 * rejected. A request that needs four eyes needs two different approvers; the same one twice is refused
 * `second-approver-required`.
 */
export const ApproveReview = command<{ requestId: string; staff: StaffActor; note: Sealed | null }, QueueItem>(
  'onboarding',
  'approve-review',
  byRequest,
);
export const RejectReview = command<
  { requestId: string; staff: StaffActor; reason: InternalReason; note: Sealed | null },
  QueueItem
>('onboarding', 'reject-review', byRequest);

/** What is held of a person, why and until when, and who looked. No value of it is personal. */
export interface PrivacyReport {
  readonly subjectId: string;
  readonly status: 'held' | 'restricted' | 'erased';
  readonly holdings: readonly {
    readonly kind: 'account-request' | 'account' | 'evidence-file' | 'deposit' | 'withdrawal';
    readonly id: string;
    readonly role: 'holder' | 'representative' | 'account-holder' | 'payer' | 'payee';
    readonly categories: readonly string[];
    readonly purpose: string;
    readonly legalBasis: string;
    readonly since: Timestamp;
    /** Null while the relationship lasts. */
    readonly retainedUntil: Timestamp | null;
  }[];
  readonly views: readonly (ViewEntry & { readonly requestId: string | null })[];
}

export type PersonKey =
  /** Sealed by `sealRequest(ClearIdentifier)`. */
  | { readonly kind: 'identifier'; readonly identifier: Sealed }
  | { readonly kind: 'request'; readonly requestId: string; readonly person: 'holder' | 'representative' };

/** Null when nothing is held. Also recorded as a view. Roles: approver or auditor. */
export const OpenPrivacyReport = command<
  { person: PersonKey; staff: StaffActor; purpose: ViewPurpose },
  PrivacyReport | null
>('onboarding', 'open-privacy-report', () => undefined);
/** Shreds the key when retention has ended, else restricts who may look. Role: approver. Null when nothing is held. */
export const ErasePerson = command<
  { person: PersonKey; staff: StaffActor },
  { subjectId: string; outcome: 'erased' | 'restricted'; retainedUntil: Timestamp | null } | null
>('onboarding', 'erase-person', () => undefined);

export interface StaffUserRecord {
  readonly staffId: string;
  readonly name: string;
  readonly roles: readonly StaffRole[];
}

/**
 * Sandbox alone (`role-not-allowed` elsewhere). The same name again replaces the password. `password`:
 * `sealRequest({secret})`.
 */
export const RegisterStaffUser = command<
  { name: string; roles: readonly StaffRole[]; password: Sealed },
  StaffUserRecord
>('onboarding', 'register-staff-user', (payload) => payload.name);
/**
 * Sandbox alone. Null when name or password is wrong, which takes as long as when both are right. `staffId`:
 * {@link localStaffId} of the name that was typed, since people type their e-mail address, or their password, into the
 * field of the name.
 */
export const SignInStaff = query<{ staffId: string; password: Sealed }, StaffUserRecord | null>(
  'onboarding',
  'sign-in-staff',
  (payload) => payload.staffId,
);
export const GetStaffUser = query<{ staffId: string }, StaffUserRecord | null>(
  'onboarding',
  'get-staff-user',
  (payload) => payload.staffId,
);
