import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { Page, PageRequest, Timestamp } from '../../shared';
import type { ScreeningHit } from '../request/screening-events';
import type { HitVerdict, StaffActor, StaffRole, VerdictReason, ViewPurpose } from '../review/review-words';
import type { FindingStatus } from './finding-events';

const { command, query } = requestsOf('onboarding');

interface FindingVerdict {
  readonly verdict: HitVerdict;
  readonly reason: VerdictReason;
  readonly note: Sealed | null;
  readonly staffId: string;
  readonly roles: readonly StaffRole[];
  readonly judgedAt: Timestamp;
}

/** A new hit on a person of an account. What was compared and the notes are sealed under the person. */
export interface ScreeningFinding {
  readonly id: string;
  readonly subjectId: string;
  readonly accountId: string;
  readonly person: 'holder' | 'representative';
  readonly status: FindingStatus;
  /** Counts the openings and verdicts. A verdict names the version that was read. */
  readonly version: number;
  readonly hit: ScreeningHit;
  readonly listsVersion: string;
  readonly openedAt: Timestamp;
  /** Since the last opening. */
  readonly verdicts: readonly FindingVerdict[];
  /** When the freeze of the account was requested because of a true match. */
  readonly freezeRequestedAt: Timestamp | null;
  readonly settledAt: Timestamp | null;
}

/** For staff: findings that are open or matched, the longest waiting first, at most 200. */
export const ListScreeningFindings = query<Record<string, never>, { readonly findings: readonly ScreeningFinding[] }>(
  'list-screening-findings',
);

/** Null fields do not filter. */
export interface FindingFilters {
  readonly accountId: string | null;
  readonly status: FindingStatus | null;
  /** The name of a list. */
  readonly list: string | null;
}

/** For staff: findings in any status, newest first by the time when they were opened. */
export const SearchScreeningFindings = query<
  { readonly filters: FindingFilters; readonly page: PageRequest },
  Page<ScreeningFinding>
>('search-screening-findings');

interface ByStaff {
  findingId: string;
  staff: StaffActor;
}

/**
 * The finding with what was compared; null if it does not exist. The view is recorded first. Refuses as
 * `OpenReviewCase` does.
 */
export const OpenScreeningFinding = command<
  ByStaff & { purpose: ViewPurpose; note: Sealed | null },
  ScreeningFinding | null
>('open-screening-finding', 'findingId');

/**
 * A true match requests the freeze of the account. Refuses `screening-finding-not-found`, `review-not-open` (cleared or
 * settled, or a true match already), `second-approver-required`, `review-changed`, `role-not-allowed` and
 * `invalid-enum-value`. `note`: sealed with `sealRequest({secret})`.
 */
export const JudgeScreeningFinding = command<
  ByStaff & { version: number; verdict: HitVerdict; reason: VerdictReason; note: Sealed | null },
  ScreeningFinding
>('judge-screening-finding', 'findingId');
