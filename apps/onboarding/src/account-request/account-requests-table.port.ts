import type {
  AccountRequestStatus,
  ListReviewQueue,
  OnboardingMode,
  PageCursor,
  ReviewCause,
  ReviewStage,
  Timestamp,
} from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';

/** An account request for the queue, the partner's list and the timers: no personal data, not even sealed. */
export interface AccountRequestRow {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly parent_id: string;
  readonly account_id: string;
  readonly mode: OnboardingMode;
  readonly status: AccountRequestStatus;
  readonly stage: ReviewStage | null;
  readonly reward_tier: string;
  readonly country: string;
  readonly causes: readonly ReviewCause[];
  readonly four_eyes: boolean;
  readonly approvals: number;
  readonly escalated: boolean;
  readonly assigned_to: string | null;
  readonly external_id: string | null;
  readonly status_updated_at: Timestamp;
  readonly stage_since: Timestamp;
  readonly information_due_at: Timestamp | null;
  /** When a timer next has to process the request. */
  readonly due_at: Timestamp | null;
}

export type QueueRequest = PayloadOf<typeof ListReviewQueue>;

/** A request in screening, which waits for vendors, or any other due request. */
export type DueKind = 'screening' | 'other';

/** A request that a timer has to process. */
export interface DueRequest {
  readonly id: string;
  readonly parentId: string;
  readonly dueAt: Timestamp;
  /** When the stage of the request began. */
  readonly since: Timestamp;
}

/** The last request of a page of due requests. */
export type DueCursor = Pick<DueRequest, 'dueAt' | 'id'>;

interface DueQuery {
  readonly kind: DueKind;
  readonly now: Timestamp;
  /** Null for the first page. */
  readonly after: DueCursor | null;
  readonly limit: number;
}

/** Queries over the requests of all partners. */
export interface ReviewQueue {
  page(
    request: QueueRequest,
  ): Promise<{ readonly items: readonly AccountRequestRow[]; readonly next: PageCursor | null }>;
  /** Counts the open requests: pending ones by stage, the others by status. */
  counts(): Promise<Readonly<Record<string, number>>>;
  /** Since when the oldest pending request of each stage has been in it; absent for a stage without requests. */
  oldest(): Promise<Readonly<Record<string, Timestamp>>>;
  /** A page of the requests that a timer has to process, longest due first. */
  due(query: DueQuery): Promise<readonly DueRequest[]>;
}

export const REVIEW_QUEUE = Symbol('ReviewQueue');
