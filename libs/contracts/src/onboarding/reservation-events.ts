import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';

/** What a reservation is of: a person under a parent, or a wallet address anywhere. */
export type ReservedKind = 'identifier' | 'wallet';

/**
 * Stream `reservation-<derivedId>`: one holder at a time. Posts of one request share it, each under its own claim, so
 * that a post that is refused gives back its own part alone.
 */
export class ReservationClaimed extends event('ReservationClaimed')<{
  reservationId: string;
  kind: ReservedKind;
  /** Lower-case, of a wallet; null of an identifier. */
  address: string | null;
  /** The request that holds it; for a wallet of ours the account. */
  holderId: string;
  accountId: string;
  /** How often it was held before, and once more. */
  attempt: number;
  claimId: string;
  claimedAt: Timestamp;
}> {}
/** With the last claim the reservation is free. */
export class ReservationClaimReleased extends event('ReservationClaimReleased')<{
  reservationId: string;
  holderId: string;
  claimId: string;
  releasedAt: Timestamp;
}> {}
/** The holder ended, or never came: all its claims go. */
export class ReservationFreed extends event('ReservationFreed')<{
  reservationId: string;
  holderId: string;
  freedAt: Timestamp;
}> {}

export type ReservationEvent = ReservationClaimed | ReservationClaimReleased | ReservationFreed;
