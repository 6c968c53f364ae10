import type { Timestamp } from '@ponte/contracts';

/** A time window at the bank, both ends included, and a page of it. Pages count from 0. */
export interface BankWindow {
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly page: number;
}

/** One page of payment ids from a list of the bank, oldest first. */
export interface BankPage {
  readonly ids: readonly string[];
  readonly lastPage: boolean;
  /** All that the bank gave, if `ids` leaves some of it out. Shows whether the bank gives one page again and again. */
  readonly listed?: readonly string[];
}
