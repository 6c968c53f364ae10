import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext, CommandSource } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { Claim, Reservation, ReservationCommand } from './reservation.decider';
import { reservation } from './reservation.decider';

/**
 * The streams of the reservations. Command ids name the command, the reservation and the claim or holder, so that each
 * is carried out once.
 */
@Injectable()
export class Reservations {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async load(reservationId: string): Promise<Reservation> {
    return (await this.aggregates.load(reservation, reservationId)).state;
  }

  async loadWithRevision(reservationId: string): Promise<{ state: Reservation; revision: number }> {
    return this.aggregates.load(reservation, reservationId);
  }

  /** What stands after the claim: the caller sees in it whether it is the holder. */
  claim(claim: Omit<Claim, 'kind' | 'at'>, context: RequestContext): Promise<Reservation> {
    return this.handle(
      claim.reservationId,
      (at) => ({ kind: 'claim', ...claim, at }),
      ['claim', claim.claimId],
      context,
    );
  }

  releaseClaim(reservationId: string, claimId: string, context: RequestContext): Promise<Reservation> {
    return this.handle(
      reservationId,
      (at) => ({ kind: 'release-claim', claimId, at }),
      ['release-claim', claimId],
      context,
    );
  }

  /** The holder ended, or will never be. */
  free(reservationId: string, holderId: string, context: RequestContext): Promise<Reservation> {
    return this.handle(reservationId, (at) => ({ kind: 'free', holderId, at }), ['free', holderId], context);
  }

  private async handle(
    reservationId: string,
    command: CommandSource<ReservationCommand>,
    name: readonly string[],
    context: RequestContext,
  ): Promise<Reservation> {
    const commandId = derivedId('reservation', reservationId, ...name);
    return (
      await this.aggregates.handle(
        reservation,
        reservationId,
        command,
        commandContext({ ...context, commandId }, this.clock),
      )
    ).state;
  }
}
