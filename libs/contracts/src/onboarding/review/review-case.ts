import type { Sealed } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { PageCursor, Timestamp } from '../../shared';
import type { AccountRequestStatus, ReviewStage } from '../../state-machines';
import type { OnboardingMode } from '../events';
import type { RequestDetails, SealedExternalWallet } from '../request/request-details';
import type { ScreeningHit } from '../request/request-events';
import type { AccountRequestRecord, EvidenceFileRecord } from '../request/request-messages';
import type { HitVerdict, InternalReason, ReviewCause, StaffRole, VerdictReason, ViewPurpose } from './review-words';
import type { TraitKind } from '../trait-events';

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
