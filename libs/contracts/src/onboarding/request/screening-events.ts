import type { Sealed } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../../shared';
import type { RequestIdentity } from './request-details';

/** Stage `screening`. `round` counts from 1; a new round starts whenever information is provided. */
export class ScreeningStarted extends event('ScreeningStarted')<
  RequestIdentity & { round: number; startedAt: Timestamp }
> {}

/** An entry of a screening list that may be the person. `match`, the compared data, is sealed under the person. */
export interface ScreeningHit {
  readonly list: string;
  readonly entryId: string;
  /** How well the entry matches, 0 to 100. */
  readonly score: number;
  readonly match: Sealed;
  /** Identifies the content of the entry. Absent in hits of vendors and in hits of earlier releases. */
  readonly entryVersion?: string;
}

/** The screening result of one person, recorded once per person and round. */
export class ScreeningRecorded extends event('ScreeningRecorded')<
  RequestIdentity & {
    round: number;
    person: 'holder' | 'representative';
    hits: readonly ScreeningHit[];
    /** The person's accounts that are frozen or were closed for one of `STOPPING_REASONS`; absent if there are none. */
    stoppedAccounts?: readonly string[];
    recordedAt: Timestamp;
  }
> {}

/**
 * Other accounts of one person were frozen or closed for one of `STOPPING_REASONS` after the person was screened. Only
 * those that no earlier event names. Two approvers are required from now on, and earlier approvals no longer count.
 */
export class StoppedAccountsFound extends event('StoppedAccountsFound')<
  RequestIdentity & { person: 'holder' | 'representative'; stoppedAccounts: readonly string[]; foundAt: Timestamp }
> {}

/**
 * A pending request was screened again, and screening found these new hits on one person. Two approvers are required
 * from now on, and earlier approvals no longer count. `listsVersion` identifies the lists.
 */
export class ScreeningRepeated extends event('ScreeningRepeated')<
  RequestIdentity & {
    round: number;
    person: 'holder' | 'representative';
    hits: readonly ScreeningHit[];
    listsVersion: string;
    recordedAt: Timestamp;
  }
> {}
