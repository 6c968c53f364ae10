import type { Sealed } from '@ponte/event-sourcing';
import { requestsOf } from '@ponte/event-sourcing';
import type { PageCursor } from '../../shared';
import type { EvidenceFileRecord } from '../request/request-messages';
import type { ChecklistItem, HistoryEntry, QueueFilters, QueueItem, QueuePage, ReviewCase } from './review-case';
import type {
  HitVerdict,
  InformationItem,
  InternalReason,
  PartnerReason,
  StaffActor,
  VerdictReason,
  ViewPurpose,
} from './review-words';

const { command, query } = requestsOf('onboarding');

/**
 * Oldest first by (createdAt, id): who waits longest comes first. `newest` turns it round. Names and numbers are not in
 * it.
 */
export const ListReviewQueue = query<
  { filters: QueueFilters; order: 'oldest' | 'newest'; limit: number; cursor: PageCursor | null },
  QueuePage
>('list-review-queue');
/**
 * Writes down who looks and why, durably, before it answers; hence a command. Null when there is no such request.
 * Refuses `role-not-allowed`, and `personal-data-restricted` unless an approver or auditor looks for a legal reason.
 * `note` is sealed by `sealRequest({secret})`.
 */
export const OpenReviewCase = command<
  { requestId: string; staff: StaffActor; purpose: ViewPurpose; note: Sealed | null },
  ReviewCase | null
>('open-review-case', 'requestId');
/**
 * Before a document's bytes are shown: the same record and refusals; null when the case does not name such a file or it
 * is gone.
 */
export const OpenReviewFile = command<
  { requestId: string; fileId: string; staff: StaffActor; purpose: ViewPurpose },
  EvidenceFileRecord | null
>('open-review-file', 'requestId');
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
export const GetReviewHistory = query<{ requestId: string }, ReviewHistory | null>('get-review-history', 'requestId');

/*
 * Decisions of staff. All refuse `account-request-not-found`, `role-not-allowed`, `review-not-open` (nothing waits for
 * staff) and `review-claimed` (someone else has it). They answer the queue's line as it then stands. Notes are sealed
 * by `sealRequest({secret})`.
 */

/** An approver may take over what someone else has. */
export const ClaimReview = command<{ requestId: string; staff: StaffActor; takeOver: boolean }, QueueItem>(
  'claim-review',
  'requestId',
);
export const ReleaseReview = command<{ requestId: string; staff: StaffActor }, QueueItem>(
  'release-review',
  'requestId',
);
export const EscalateReview = command<{ requestId: string; staff: StaffActor; note: Sealed | null }, QueueItem>(
  'escalate-review',
  'requestId',
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
>('ask-information', 'requestId');
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
>('judge-screening-hit', 'requestId');
/**
 * Refuses `screening-verdict-required` while a hit has no verdict, and `true-match-found`: such a case can only be
 * rejected. A request that needs four eyes needs two different approvers; the same one twice is refused
 * `second-approver-required`.
 */
export const ApproveReview = command<{ requestId: string; staff: StaffActor; note: Sealed | null }, QueueItem>(
  'approve-review',
  'requestId',
);
export const RejectReview = command<
  { requestId: string; staff: StaffActor; reason: InternalReason; note: Sealed | null },
  QueueItem
>('reject-review', 'requestId');
