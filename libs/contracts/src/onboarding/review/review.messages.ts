import type { Sealed } from '@ponte/event-sourcing';
import { requestsOf } from '@ponte/event-sourcing';
import type { PageCursor } from '../../shared';
import type { EvidenceFileRecord } from '../request/request.messages';
import type { CaseItem, ChecklistItem, HistoryEntry, QueueFilters, QueuePage, ReviewCase } from './review-case';
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

/** By (createdAt, id), oldest first unless `newest`. Contains no names and no document numbers. */
export const ListReviewQueue = query<
  { filters: QueueFilters; order: 'oldest' | 'newest'; limit: number; cursor: PageCursor | null },
  QueuePage
>('list-review-queue');
/**
 * Records who views the case and why before it returns, so it is a command. Null when the request does not exist.
 * Refuses `role-not-allowed`, and `personal-data-restricted` unless an approver or auditor views it for a legal reason.
 * `note` is sealed by `sealRequest({secret})`.
 */
export const OpenReviewCase = command<
  { requestId: string; staff: StaffActor; purpose: ViewPurpose; note: Sealed | null },
  ReviewCase | null
>('open-review-case', 'requestId');
/**
 * Called before a document is shown. Records the view and refuses as {@link OpenReviewCase} does; null when the case
 * has no such file or it was deleted.
 */
export const OpenReviewFile = command<
  { requestId: string; fileId: string; staff: StaffActor; purpose: ViewPurpose },
  EvidenceFileRecord | null
>('open-review-file', 'requestId');
/** The state of a case without personal data: enough to refresh an open page without recording another view. */
export interface ReviewHistory {
  readonly entries: readonly HistoryEntry[];
  readonly item: CaseItem;
  readonly checklist: readonly ChecklistItem[];
  /** Staff who have approved. */
  readonly approvals: readonly string[];
}
export const GetReviewHistory = query<{ requestId: string }, ReviewHistory | null>('get-review-history', 'requestId');

/*
 * Decisions of staff. All refuse `account-request-not-found`, `role-not-allowed`, `review-not-open` (nothing waits for
 * staff) and `review-claimed` (claimed by someone else). They return the updated request. Notes are sealed by
 * `sealRequest({secret})`. `version` is that of the case that the staff member has read; a decision that names one
 * refuses `review-changed` if the case has changed since.
 */

/** An approver may take over a review that someone else has claimed. */
export const ClaimReview = command<{ requestId: string; staff: StaffActor; takeOver: boolean }, CaseItem>(
  'claim-review',
  'requestId',
);
export const ReleaseReview = command<{ requestId: string; staff: StaffActor }, CaseItem>('release-review', 'requestId');
export const EscalateReview = command<
  { requestId: string; staff: StaffActor; version: number; note: Sealed | null },
  CaseItem
>('escalate-review', 'requestId');
export const AskInformation = command<
  {
    requestId: string;
    staff: StaffActor;
    version: number;
    items: readonly InformationItem[];
    issues: readonly PartnerReason[];
    note: Sealed | null;
  },
  CaseItem
>('ask-information', 'requestId');
/**
 * Records whether a hit is the person, which is required before an approval. A true match is final (`verdict-final`).
 * `score` and `entryVersion` (null if the hit has none) are those of the hit that was read: refuses `review-changed` if
 * a later round found the entry with other ones.
 * Ends a first approval, unless it repeats the verdict. Refuses `screening-hit-not-found` and `invalid-enum-value`.
 */
export const JudgeScreeningHit = command<
  {
    requestId: string;
    staff: StaffActor;
    person: 'holder' | 'representative';
    list: string;
    entryId: string;
    score: number;
    entryVersion?: string | null;
    verdict: HitVerdict;
    reason: VerdictReason;
    note: Sealed | null;
  },
  CaseItem
>('judge-screening-hit', 'requestId');
/**
 * Refuses `screening-verdict-required` while a hit has no verdict, `true-match-found` (such a case can only be
 * rejected), and `second-approver-required` when the same approver approves twice a request that needs four eyes.
 */
export const ApproveReview = command<
  { requestId: string; staff: StaffActor; version: number; note: Sealed | null },
  CaseItem
>('approve-review', 'requestId');
export const RejectReview = command<
  { requestId: string; staff: StaffActor; version: number; reason: InternalReason; note: Sealed | null },
  CaseItem
>('reject-review', 'requestId');
