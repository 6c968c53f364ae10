import type { Timestamp } from '@ponte/contracts';

/** A window of time at the bank, both ends included, and a page of it; pages count from 0. */
export interface BankWindow {
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly page: number;
}

/** One page of what the bank lists, oldest first: ids of payments. */
export interface BankPage {
  readonly ids: readonly string[];
  readonly lastPage: boolean;
}
