import type { Timestamp } from '@ponte/contracts';

/** What the sweeper of reservations works through. */
export interface UnsettledReservations {
  /** To be looked at; a revision that was settled stays so. */
  open(id: string, revision: number, since: Timestamp): Promise<void>;
  /** Nothing to be done about it up to this revision. */
  settle(id: string, revision: number): Promise<void>;
  /** Open since before the time, oldest first. */
  older(than: Timestamp, limit: number): Promise<readonly { readonly id: string; readonly revision: number }[]>;
}

export const UNSETTLED_RESERVATIONS = Symbol('UnsettledReservations');
