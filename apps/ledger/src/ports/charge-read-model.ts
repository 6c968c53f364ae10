import type { ChargePlace, OverdueCharge, Timestamp } from '@ponte/contracts';

export interface ChargeRow {
  readonly txid: string;
  readonly revision: number;
  readonly orderId: string;
  readonly accountId: string;
  readonly expiration: Timestamp;
  /** Neither paid nor closed. */
  readonly open: boolean;
}

/** Charges by when they are due. */
export interface ChargeReadModel {
  /** A row never goes back to a lower revision. */
  put(row: ChargeRow): Promise<void>;
  /** Open ones whose expiration has passed, the longest overdue first; those behind `after` where it is given. */
  overdue(expiredBefore: Timestamp, limit: number, after?: ChargePlace | null): Promise<readonly OverdueCharge[]>;
}

export const CHARGE_READ_MODEL = Symbol('ChargeReadModel');
