import type { Sealed } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { Timestamp } from '../../shared';
import type { HitVerdict, ReviewCause, VerdictReason } from './review-words';
import type { About } from '../request/request-details';

/** Stage `manual-review`: it waits for a person of compliance. */
export class ReviewRequested extends event('ReviewRequested')<
  About & {
    causes: readonly ReviewCause[];
    fourEyes: boolean;
    rewardTier: RewardTier;
    requestedAt: Timestamp;
  }
> {}

export class ReviewClaimed extends event('ReviewClaimed')<About & { staffId: string; claimedAt: Timestamp }> {}

export class ReviewReleased extends event('ReviewReleased')<About & { staffId: string; releasedAt: Timestamp }> {}

/** Only approvers decide it from here on. */
export class ReviewEscalated extends event('ReviewEscalated')<
  About & { staffId: string; note: Sealed | null; escalatedAt: Timestamp }
> {}

/**
 * One member of staff says whether one hit is the person. `score` is the hit's: another score of the same entry needs a
 * verdict of its own.
 */
export class ScreeningHitJudged extends event('ScreeningHitJudged')<
  About & {
    person: 'holder' | 'representative';
    list: string;
    entryId: string;
    score: number;
    verdict: HitVerdict;
    reason: VerdictReason;
    note: Sealed | null;
    staffId: string;
    judgedAt: Timestamp;
  }
> {}

/** One person's word. `final` is false for the first of two approvals. `staffId` null: decided without a person. */
export class ReviewDecided extends event('ReviewDecided')<
  About & {
    decision: 'approve' | 'reject' | 'ask-information';
    final: boolean;
    staffId: string | null;
    note: Sealed | null;
    decidedAt: Timestamp;
  }
> {}
