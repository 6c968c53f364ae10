import { Inject, Injectable } from '@nestjs/common';
import type { Reservation } from '../domain/reservation/reservation';
import type { UnsettledReservations } from '../ports/unsettled-reservations';
import { UNSETTLED_RESERVATIONS } from '../ports/unsettled-reservations';

/** Reservations whose request has still to be looked for. */
@Injectable()
export class ReservationsView {
  constructor(@Inject(UNSETTLED_RESERVATIONS) private readonly table: UnsettledReservations) {}

  /** An address that a wallet of ours holds waits for no request. */
  async put(id: string, state: Reservation, revision: number): Promise<void> {
    if (state.status === 'reserved' && state.holderId !== state.accountId)
      await this.table.open(id, revision, state.claimedAt);
    else await this.table.settle(id, revision);
  }
}
