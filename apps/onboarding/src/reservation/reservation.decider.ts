import type { ReservationEvent, ReservedKind, Timestamp } from '@ponte/contracts';
import { ReservationClaimed, ReservationClaimReleased, ReservationFreed } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { accountIdOf, requestIdOf } from './reservation-ids.domain';

export interface HeldReservation {
  readonly status: 'reserved';
  readonly reservationId: string;
  readonly kind: ReservedKind;
  readonly address: string | null;
  readonly holderId: string;
  readonly accountId: string;
  readonly attempt: number;
  readonly claims: readonly string[];
  /** When the latest claim was made. */
  readonly claimedAt: Timestamp;
}

/** `attempt` counts how often the reservation was held. */
export type Reservation = { readonly status: 'released'; readonly attempt: number } | HeldReservation;

/**
 * The holder of a claim: a known request or account, or the next request for one person under one parent, whose id
 * derives from the attempt number.
 */
type Claimant =
  | { readonly holderId: string; readonly accountId: string }
  | { readonly parentId: string; readonly country: string; readonly fingerprint: string };

export interface Claim {
  readonly kind: 'claim';
  readonly reservationId: string;
  readonly of: ReservedKind;
  readonly address: string | null;
  readonly holder: Claimant;
  readonly claimId: string;
  readonly at: Timestamp;
}
interface ReleaseClaim {
  readonly kind: 'release-claim';
  readonly claimId: string;
  readonly at: Timestamp;
}
interface Free {
  readonly kind: 'free';
  readonly holderId: string;
  readonly at: Timestamp;
}

export type ReservationCommand = Claim | ReleaseClaim | Free;

/**
 * A resource that only one request at a time may hold. Commands are never refused: claimants read from the state
 * whether they hold it.
 */
export const reservation: Decider<ReservationCommand, Reservation, ReservationEvent> = {
  category: 'reservation',
  initial: { status: 'released', attempt: 0 },
  events: [ReservationClaimed, ReservationClaimReleased, ReservationFreed],
  decide(command, state) {
    switch (command.kind) {
      case 'claim':
        return claim(command, state);
      case 'release-claim':
        return releaseClaim(command, state);
      case 'free':
        return free(command, state);
    }
  },
  evolve,
};

function claim({ reservationId, of, address, holder, claimId, at }: Claim, state: Reservation): ReservationEvent[] {
  const attempt = state.status === 'released' ? state.attempt + 1 : state.attempt;
  const { holderId, accountId } = holderAt(holder, attempt);
  const mine = state.status === 'released' || (state.holderId === holderId && !state.claims.includes(claimId));
  return mine
    ? [
        new ReservationClaimed({
          reservationId,
          kind: of,
          address,
          holderId,
          accountId,
          attempt,
          claimId,
          claimedAt: at,
        }),
      ]
    : [];
}

function holderAt(holder: Claimant, attempt: number): { holderId: string; accountId: string } {
  if ('holderId' in holder) return holder;
  const holderId = requestIdOf(holder.parentId, holder.country, holder.fingerprint, attempt);
  return { holderId, accountId: accountIdOf(holderId) };
}

function releaseClaim({ claimId, at }: ReleaseClaim, state: Reservation): ReservationEvent[] {
  if (state.status === 'released' || !state.claims.includes(claimId)) return [];
  return [
    new ReservationClaimReleased({
      reservationId: state.reservationId,
      holderId: state.holderId,
      claimId,
      releasedAt: at,
    }),
  ];
}

function free({ holderId, at }: Free, state: Reservation): ReservationEvent[] {
  if (state.status === 'released' || state.holderId !== holderId) return [];
  return [new ReservationFreed({ reservationId: state.reservationId, holderId, freedAt: at })];
}

function evolve(state: Reservation, event: ReservationEvent): Reservation {
  switch (event.type) {
    case 'ReservationClaimed': {
      const { reservationId, kind, address, holderId, accountId, attempt, claimId, claimedAt } = event.data;
      const claims = state.status === 'reserved' ? [...state.claims, claimId] : [claimId];
      return { status: 'reserved', reservationId, kind, address, holderId, accountId, attempt, claims, claimedAt };
    }
    case 'ReservationClaimReleased': {
      if (state.status === 'released')
        throw new Error('the stream of a reservation is damaged: a claim was released that was not held');
      const claims = state.claims.filter((one) => one !== event.data.claimId);
      return claims.length === 0 ? { status: 'released', attempt: state.attempt } : { ...state, claims };
    }
    case 'ReservationFreed':
      return { status: 'released', attempt: state.attempt };
  }
}
