import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';

/** `identifier`: a person under one parent. `wallet`: a wallet address, for all parents. */
export type ReservedKind = 'identifier' | 'wallet';

/**
 * Stream `reservation-<derivedId>`: only one request or account at a time can hold a reservation. Each attempt to post
 * the same request makes its own claim, so that a refused attempt releases only its own claim.
 */
export class ReservationClaimed extends event('ReservationClaimed')<{
  reservationId: string;
  kind: ReservedKind;
  /** The wallet address, lower-case; null for an identifier. */
  address: string | null;
  /** The account request that holds the reservation; for a wallet in our custody, its account. */
  holderId: string;
  accountId: string;
  /** How many times this has been reserved, including this time. Further claims of the same holder do not count. */
  attempt: number;
  claimId: string;
  claimedAt: Timestamp;
}> {}
/** A claim was released. When the last claim is released, the reservation is free again. */
export class ReservationClaimReleased extends event('ReservationClaimReleased')<{
  reservationId: string;
  holderId: string;
  claimId: string;
  releasedAt: Timestamp;
}> {}
/**
 * All claims were released, because the account request of the holder ended without an account or was never created.
 */
export class ReservationFreed extends event('ReservationFreed')<{
  reservationId: string;
  holderId: string;
  freedAt: Timestamp;
}> {}

export type ReservationEvent = ReservationClaimed | ReservationClaimReleased | ReservationFreed;
