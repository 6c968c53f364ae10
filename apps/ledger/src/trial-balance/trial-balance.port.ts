import type { AmountOf, TrialBalanceLine, Hold, HoldPlace, Timestamp } from '@ponte/contracts';
import type { LogSlice, Position } from '@ponte/event-sourcing';

export interface ForgottenHold extends Hold {
  readonly accountId: string;
  readonly placedAt: Timestamp;
}

export interface TrialBalanceSums {
  readonly house: readonly TrialBalanceLine[];
  readonly customers: readonly TrialBalanceLine[];
  /** What all customers hold together. */
  readonly customersTotal: readonly AmountOf[];
}

/** What all accounts come to, kept by a projector a moment behind the log. */
export interface TrialBalance {
  /**
   * Takes a run of the log in, once, however often it is handed over. Throws when a holder of a greater fence has
   * written.
   */
  apply(slice: LogSlice, fence: number): Promise<void>;
  /** There is nothing for the books between their place and this one. */
  moveOn(position: Position, fence: number): Promise<boolean>;
  /** Oldest first; `after` is the last one of the page before. */
  openHolds(
    ownerKind: Hold['owner']['kind'],
    placedBefore: Timestamp,
    limit: number,
    after?: HoldPlace | null,
  ): Promise<readonly ForgottenHold[]>;
  /** One reading, so that everything in it is of one moment. */
  sums(): Promise<TrialBalanceSums>;
  /** How far the log is in the books; absent at its beginning. */
  position(): Promise<Position | undefined>;
}

export const TRIAL_BALANCE = Symbol('TrialBalance');
