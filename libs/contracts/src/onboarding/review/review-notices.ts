import type { Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import { toWire } from '@ponte/kernel';
import type { CloudEvent } from '../../cloud-events';
import { sourceOf } from '../../cloud-events';
import type { Timestamp } from '../../shared';
import { ReviewClaimed, ReviewDecided, ReviewEscalated, ReviewReleased, ReviewRequested } from './review-events';
import type { ReviewCause } from './review-words';

/**
 * The topic for external systems that work with reviews (a queue, a dashboard, an audit). Its key is the request id.
 */
export const COMPLIANCE_REVIEWS = 'compliance.reviews';

interface AboutRequest {
  readonly 'request-id': string;
  readonly 'account-id': string;
  readonly 'parent-id': string;
}

/** An account request waits for a review by compliance staff. */
interface ReviewRequestedNotice extends AboutRequest {
  readonly causes: readonly ReviewCause[];
  /** Whether two different approvers have to approve. */
  readonly 'four-eyes': boolean;
  readonly 'reward-tier': RewardTier;
  readonly 'requested-at': Timestamp;
}
/** A staff member claimed the review. Others cannot decide it until it is released or an approver takes it over. */
interface ReviewClaimedNotice extends AboutRequest {
  readonly 'staff-id': string;
  readonly 'claimed-at': Timestamp;
}
/** The review was released by the staff member who had claimed it, or by an approver. */
interface ReviewReleasedNotice extends AboutRequest {
  readonly 'staff-id': string;
  readonly 'released-at': Timestamp;
}
/** A staff member escalated the review. Only approvers can decide it from now on. */
interface ReviewEscalatedNotice extends AboutRequest {
  readonly 'staff-id': string;
  readonly 'escalated-at': Timestamp;
}
/**
 * A decision on the account request. `final` is false for the first of two required approvals. `staff-id` is null if no
 * staff member was involved.
 */
interface ReviewDecidedNotice extends AboutRequest {
  readonly decision: 'approve' | 'reject' | 'ask-information';
  readonly final: boolean;
  readonly 'staff-id': string | null;
  readonly 'decided-at': Timestamp;
}

export type ReviewNotice =
  ReviewRequestedNotice | ReviewClaimedNotice | ReviewReleasedNotice | ReviewEscalatedNotice | ReviewDecidedNotice;

/** The name of each event on the topic. */
export const REVIEW_NOTICE_TYPES = {
  ReviewRequested: 'compliance.review.requested',
  ReviewClaimed: 'compliance.review.claimed',
  ReviewReleased: 'compliance.review.released',
  ReviewEscalated: 'compliance.review.escalated',
  ReviewDecided: 'compliance.review.decided',
} as const;

type ReviewEvent = ReviewRequested | ReviewClaimed | ReviewReleased | ReviewEscalated | ReviewDecided;
const current = upcaster([ReviewRequested, ReviewClaimed, ReviewReleased, ReviewEscalated, ReviewDecided]);
const isReviewType = (type: string): type is ReviewEvent['type'] => Object.hasOwn(REVIEW_NOTICE_TYPES, type);

/**
 * The message that the relay of onboarding's log publishes on {@link COMPLIANCE_REVIEWS} for a stored event, and its
 * key; null for every other event. It contains only ids, words from lists and times. Notes of staff stay sealed in the
 * log, and the case itself is opened in the console, which records who views it.
 */
export function reviewNotice(
  event: Recorded,
): { readonly key: string; readonly event: CloudEvent<ReviewNotice> } | null {
  if (!isReviewType(event.type)) return null;
  const recorded = current<ReviewEvent>(event) as ReviewEvent;
  const { requestId } = recorded.data;
  return {
    key: requestId,
    event: {
      specversion: '1.0',
      id: event.id,
      source: sourceOf('onboarding'),
      type: REVIEW_NOTICE_TYPES[recorded.type],
      subject: requestId,
      time: event.meta.occurredAt,
      datacontenttype: 'application/json',
      revision: event.revision,
      data: noticeOf(recorded),
    },
  };
}

function noticeOf({ type, data }: ReviewEvent): ReviewNotice {
  const about = toWire(data, 'requestId', 'accountId', 'parentId');
  switch (type) {
    case 'ReviewRequested':
      return { ...about, ...toWire(data, 'causes', 'fourEyes', 'rewardTier', 'requestedAt') };
    case 'ReviewClaimed':
      return { ...about, ...toWire(data, 'staffId', 'claimedAt') };
    case 'ReviewReleased':
      return { ...about, ...toWire(data, 'staffId', 'releasedAt') };
    case 'ReviewEscalated':
      return { ...about, ...toWire(data, 'staffId', 'escalatedAt') };
    case 'ReviewDecided':
      return { ...about, ...toWire(data, 'decision', 'final', 'staffId', 'decidedAt') };
  }
}
