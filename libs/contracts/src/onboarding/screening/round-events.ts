import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../../shared';

/** The cases of a round, in the order in which it screens them. */
export const SCREENED_KINDS = ['request', 'account'] as const;
export type ScreenedKind = (typeof SCREENED_KINDS)[number];

/** A request or an account whose people are screened again. */
export interface ScreenedCase {
  readonly kind: ScreenedKind;
  readonly id: string;
}

/**
 * Stream `screeningRound-<roundId>`; the id derives from the day and the version of the lists. A round screens the
 * people of all cases once, by kind and id.
 */
export class ScreeningRoundStarted extends event('ScreeningRoundStarted')<{
  roundId: string;
  /** UTC, YYYY-MM-DD. */
  day: string;
  listsVersion: string;
  startedAt: Timestamp;
}> {}

export class ScreeningRoundAdvanced extends event('ScreeningRoundAdvanced')<{
  roundId: string;
  /** The last case that was tried; null once all have been tried. */
  last: ScreenedCase | null;
  /** The cases that could not be screened so far. They are tried again. */
  aside: readonly ScreenedCase[];
  /** How many cases of the page were screened, and how many new hits they had. */
  screened: number;
  raised: number;
  advancedAt: Timestamp;
}> {}

/** Every case was screened. */
export class ScreeningRoundCompleted extends event('ScreeningRoundCompleted')<{
  roundId: string;
  listsVersion: string;
  screened: number;
  raised: number;
  completedAt: Timestamp;
}> {}

export type ScreeningRoundEvent = ScreeningRoundStarted | ScreeningRoundAdvanced | ScreeningRoundCompleted;
