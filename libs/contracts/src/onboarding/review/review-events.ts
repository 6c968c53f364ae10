import type { Sealed } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { Timestamp } from '../../shared';
import type { HitVerdict, ReviewCause, VerdictReason } from './review-words';
import type { RequestIdentity } from '../request/request-details';

/** Stage `manual-review`: the request waits for a review by compliance staff. */
export class ReviewRequested extends event('ReviewRequested')<
  RequestIdentity & {
    causes: readonly ReviewCause[];
    fourEyes: boolean;
    rewardTier: RewardTier;
    requestedAt: Timestamp;
  }
> {}

export class ReviewClaimed extends event('ReviewClaimed')<
  RequestIdentity & { staffId: string; claimedAt: Timestamp }
> {}

export class ReviewReleased extends event('ReviewReleased')<
  RequestIdentity & { staffId: string; releasedAt: Timestamp }
> {}

/** A staff member escalated the review. Only approvers can decide it from now on. */
export class ReviewEscalated extends event('ReviewEscalated')<
  RequestIdentity & { staffId: string; note: Sealed | null; escalatedAt: Timestamp }
> {}

/**
 * A staff member's verdict on one screening hit. It is valid for this `score` and this `entryVersion` (if both are
 * known) only: a hit on the same entry with another score or another content needs a new verdict.
 */
export class ScreeningHitJudged extends event('ScreeningHitJudged')<
  RequestIdentity & {
    person: 'holder' | 'representative';
    list: string;
    entryId: string;
    score: number;
    entryVersion?: string;
    verdict: HitVerdict;
    reason: VerdictReason;
    note: Sealed | null;
    staffId: string;
    judgedAt: Timestamp;
  }
> {}

/**
 * A decision on the request. `final` is false for the first of two required approvals. `staffId` is null if no staff
 * member was involved.
 */
export class ReviewDecided extends event('ReviewDecided')<
  RequestIdentity & {
    decision: 'approve' | 'reject' | 'ask-information';
    final: boolean;
    staffId: string | null;
    note: Sealed | null;
    decidedAt: Timestamp;
  }
> {}

/** The events of the review, in the stream of the account request. */
export const REVIEW_EVENTS = [
  ReviewRequested,
  ReviewClaimed,
  ReviewReleased,
  ReviewEscalated,
  ScreeningHitJudged,
  ReviewDecided,
] as const;
