import type { Timestamp } from '@ponte/contracts';

/** The reservations that the sweep has to process. */
export interface UnsettledReservations {
  /** Marks a reservation as open. A revision that was settled stays settled. */
  open(id: string, revision: number, since: Timestamp): Promise<void>;
  /** Marks a reservation as settled up to this revision. */
  settle(id: string, revision: number): Promise<void>;
  /** Reservations that have been open since before the time, oldest first. */
  older(than: Timestamp, limit: number): Promise<readonly { readonly id: string; readonly revision: number }[]>;
}

export const UNSETTLED_RESERVATIONS = Symbol('UnsettledReservations');
