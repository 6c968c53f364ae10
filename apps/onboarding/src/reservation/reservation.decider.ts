import type { ReservationEvent, ReservedKind, Timestamp } from '@ponte/contracts';
import { ReservationClaimed, ReservationClaimReleased, ReservationFreed } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';

export interface HeldReservation {
  readonly status: 'reserved';
  readonly reservationId: string;
  readonly kind: ReservedKind;
  readonly address: string | null;
  readonly holderId: string;
  readonly accountId: string;
  readonly attempt: number;
  readonly claims: readonly string[];
  /** Of the latest claim. */
  readonly claimedAt: Timestamp;
}

/** `attempt` counts how often it was held. */
export type Reservation = { readonly status: 'released'; readonly attempt: number } | HeldReservation;

export interface Claim {
  readonly kind: 'claim';
  readonly reservationId: string;
  readonly of: ReservedKind;
  readonly address: string | null;
  /** Who would hold it as the attempt of that number. */
  readonly holderOf: (attempt: number) => { readonly holderId: string; readonly accountId: string };
  readonly claimId: string;
  readonly at: Timestamp;
}
export interface ReleaseClaim {
  readonly kind: 'release-claim';
  readonly claimId: string;
  readonly at: Timestamp;
}
export interface Free {
  readonly kind: 'free';
  readonly holderId: string;
  readonly at: Timestamp;
}

export type ReservationCommand = Claim | ReleaseClaim | Free;

/**
 * Something that one request at a time may hold. Nothing is refused here: the claimant reads from the state whether it
 * holds it.
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

function claim({ reservationId, of, address, holderOf, claimId, at }: Claim, state: Reservation): ReservationEvent[] {
  const attempt = state.status === 'released' ? state.attempt + 1 : state.attempt;
  const { holderId, accountId } = holderOf(attempt);
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
      if (state.status === 'released') throw new Error('a claim was released that no one had');
      const claims = state.claims.filter((one) => one !== event.data.claimId);
      return claims.length === 0 ? { status: 'released', attempt: state.attempt } : { ...state, claims };
    }
    case 'ReservationFreed':
      return { status: 'released', attempt: state.attempt };
  }
}
