import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { Timestamp } from '../../shared';
import type { ScreeningHit } from '../request/screening-events';
import type { HitVerdict, StaffRole, VerdictReason } from '../review/review-words';

/**
 * The states of a finding: a new hit on a person of an account. `open`: it waits for a verdict. `matched`: a true match
 * whose account is not frozen yet. `settled`: the account was frozen for it, or closed.
 */
export const FINDING_STATUSES = ['open', 'matched', 'cleared', 'settled'] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

interface AboutFinding {
  findingId: string;
  subjectId: string;
  accountId: string;
}

/** Stream `person-<subjectId>`. A finding is opened again if the list entry changes after it was cleared. */
export class ScreeningFindingOpened extends event('ScreeningFindingOpened')<
  AboutFinding & {
    /** The person's role in the account. */
    person: 'holder' | 'representative';
    hit: ScreeningHit;
    listsVersion: string;
    openedAt: Timestamp;
  }
> {}

/**
 * A verdict of one staff member. `status`: that of the finding from then on. One `true-match` makes it `matched`, two
 * `false-positive` by different staff members make it `cleared`.
 */
export class ScreeningFindingJudged extends event('ScreeningFindingJudged')<
  AboutFinding & {
    verdict: HitVerdict;
    reason: VerdictReason;
    /** Sealed under the person. */
    note: Sealed | null;
    staffId: string;
    roles: readonly StaffRole[];
    status: FindingStatus;
    judgedAt: Timestamp;
  }
> {}

/** The freeze of the account was requested in the name of the staff member who found the true match. */
export class FindingFreezeRequested extends event('FindingFreezeRequested')<
  AboutFinding & { requestedAt: Timestamp }
> {}

/** The account of a true match was frozen for it, or closed. */
export class ScreeningFindingSettled extends event('ScreeningFindingSettled')<
  AboutFinding & { settledAt: Timestamp }
> {}

export const FINDING_EVENTS = [
  ScreeningFindingOpened,
  ScreeningFindingJudged,
  FindingFreezeRequested,
  ScreeningFindingSettled,
] as const;
export type FindingEvent = InstanceType<(typeof FINDING_EVENTS)[number]>;
