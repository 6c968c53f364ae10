import type { OrderFilters, OrderRecord, Page, PageRequest, Timestamp } from '@ponte/contracts';

/** A brcode order that waits for its Pix. */
export interface WaitingCharge {
  readonly orderId: string;
  readonly accountId: string;
  readonly txid: string;
}

/** A row's place in the order of creation, from which the next page goes on. */
export interface OldOrder {
  readonly orderId: string;
  readonly createdAt: Timestamp;
}

/**
 * One order as the view keeps it: the record of its state at a revision. `txid` is null when it was not funded by
 * brcode.
 */
export interface OrderRow {
  readonly revision: number;
  readonly txid: string | null;
  readonly record: OrderRecord;
}

/** The list of orders: rebuilt from the streams at any time, and a hint for timers, never a ground for a decision. */
export interface OrderReadModel {
  /** A row of a lower revision than the one that is kept changes nothing. */
  put(row: OrderRow): Promise<void>;
  page(accountId: string, filters: OrderFilters, page: PageRequest): Promise<Page<OrderRecord>>;
  /**
   * Orders still created whose brcode expired before the given time, the longest expired first. In the millisecond of
   * its expiration a code can still be paid, so it is not among them yet.
   */
  expired(at: Timestamp, limit: number): Promise<readonly WaitingCharge[]>;
  /**
   * Orders processing that were created at or before the given time, oldest first; `after` is the last one of the page
   * before.
   */
  processing(createdTo: Timestamp, after: OldOrder | null, limit: number): Promise<readonly OldOrder[]>;
}

export const ORDER_READ_MODEL = Symbol('OrderReadModel');
