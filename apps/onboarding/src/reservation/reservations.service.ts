import { Injectable } from '@nestjs/common';
import type { RequestContext, CommandSource } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { defineRepository } from '@ponte/nest';
import type { Claim, Reservation, ReservationCommand } from './reservation.decider';
import { reservation } from './reservation.decider';

/**
 * The streams of reservations. Command ids derive from the command, the reservation and the claim or holder, so each
 * command is executed once.
 */
@Injectable()
export class Reservations extends defineRepository(reservation) {
  /** Returns the state after the claim, from which the caller reads whether it is the holder. */
  claim(claim: Omit<Claim, 'kind' | 'at'>, context: RequestContext): Promise<Reservation> {
    const { reservationId, claimId } = claim;
    return this.once(reservationId, (at) => ({ kind: 'claim', ...claim, at }), ['claim', claimId], context);
  }

  releaseClaim(id: string, claimId: string, context: RequestContext): Promise<Reservation> {
    return this.once(id, (at) => ({ kind: 'release-claim', claimId, at }), ['release-claim', claimId], context);
  }

  /** Frees the reservation of a holder that ended or will never exist. */
  free(id: string, holderId: string, context: RequestContext): Promise<Reservation> {
    return this.once(id, (at) => ({ kind: 'free', holderId, at }), ['free', holderId], context);
  }

  private once(
    id: string,
    command: CommandSource<ReservationCommand>,
    name: readonly string[],
    context: RequestContext,
  ): Promise<Reservation> {
    return this.execute(id, command, { ...context, commandId: derivedId('reservation', id, ...name) });
  }
}
