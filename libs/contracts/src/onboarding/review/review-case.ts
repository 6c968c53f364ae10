import type { Sealed } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { PageCursor, Timestamp } from '../../shared';
import type { AccountRequestStatus, ReviewStage } from '../../state-machines';
import type { OnboardingMode } from '../events';
import type { RequestDetails, SealedExternalWallet } from '../request/request-details';
import type { ScreeningHit } from '../request/screening-events';
import type { AccountRequestRecord, EvidenceFileRecord } from '../request/request.messages';
import type { HitVerdict, InternalReason, ReviewCause, StaffRole, VerdictReason, ViewPurpose } from './review-words';
import type { ViewedData } from '../person-events';
import type { TraitKind } from '../trait-events';

/** A row of the review queue. It has no personal data, so showing it is not recorded as a view. */
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
  /** Since when it has been in its current stage, or in its status if it has no stage. */
  readonly stageSince: Timestamp;
  readonly informationDueAt: Timestamp | null;
}

/** A request as its case shows it, with the state of the case. */
export interface CaseItem extends QueueItem {
  /**
   * Counts the changes of what a reviewer reads: screening, liveness, verdicts, information, escalations and approvals.
   * Claims and releases do not change it.
   */
  readonly version: number;
}

export interface QueueFilters {
  readonly statuses: readonly AccountRequestStatus[];
  readonly stages: readonly ReviewStage[];
  /** A staff id; `none` for unclaimed reviews. */
  readonly assignedTo: string | null;
  readonly parentId: string | null;
  readonly escalated: boolean | null;
  /** Any of these causes; absent or empty for no filter. */
  readonly causes?: readonly ReviewCause[];
  /** Only those created at or before this time. */
  readonly createdBefore: Timestamp | null;
  readonly createdAfter: Timestamp | null;
}

export interface QueuePage {
  readonly items: readonly QueueItem[];
  readonly next: PageCursor | null;
  /**
   * Counts of all open requests, independent of the filters: pending ones by stage, `approved` and
   * `provisioning-failed`.
   */
  readonly counts: Readonly<Record<string, number>>;
}

/** One entry in the history of a request. `actor` is a staff id, an API key or a policy. */
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
  /** Open checks of a decided request are `not-applicable`. */
  readonly outcome: 'passed' | 'attention' | 'pending' | 'not-applicable';
}

/** Other requests that share a trait with this one, without personal data. */
export interface RequestDuplicate {
  readonly kind: TraitKind;
  readonly requests: readonly {
    readonly requestId: string;
    readonly status: AccountRequestStatus;
    readonly parentAlias: string;
    readonly samePerson: boolean;
  }[];
}

/** A recorded view of the person's data. */
export interface ViewEntry {
  readonly staffId: string;
  readonly roles: readonly StaffRole[];
  readonly purpose: ViewPurpose;
  readonly what: ViewedData;
  readonly viewedAt: Timestamp;
}

/** A hit with its current verdict, null before the first. */
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
 * The full case. Personal members are sealed: the gateway opens them for the staff member and shows `[erased]` for
 * erased ones.
 */
export interface ReviewCase {
  readonly item: CaseItem;
  readonly request: AccountRequestRecord;
  readonly details: RequestDetails;
  readonly externalWallets: readonly SealedExternalWallet[];
  /** Every document, power of attorney and other file of the case that still exists. */
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
  /** Requests of other people that use the same session, the first 20. */
  readonly livenessSharedWith?: readonly string[];
  /** At most 50 requests of each kind. */
  readonly duplicates: readonly RequestDuplicate[];
  readonly checklist: readonly ChecklistItem[];
  readonly approvals: readonly string[];
  readonly internalReason: InternalReason | null;
  /** Notes of staff on escalations and decisions, oldest first. */
  readonly staffNotes?: readonly {
    readonly type: 'ReviewEscalated' | 'ReviewDecided';
    readonly staffId: string;
    readonly note: Sealed;
    readonly at: Timestamp;
  }[];
  /** Notes of the partner on the information it sent. */
  readonly notes: readonly { readonly note: Sealed; readonly at: Timestamp }[];
  readonly history: readonly HistoryEntry[];
  /**
   * Views with the viewer's note, sealed under the holder. The note is for colleagues and is not part of a privacy
   * report, which the person may read.
   */
  readonly views: readonly (ViewEntry & { readonly note: Sealed | null })[];
  /** The person's data is restricted: its erasure was requested, but the law does not allow it yet. */
  readonly restricted: boolean;
}
