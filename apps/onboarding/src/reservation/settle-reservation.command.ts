import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { isFreed, isOpenRequest } from '../account-request/account-request.state';
import type { HeldReservation } from './reservation.decider';
import { UnsettledReservations } from './unsettled-reservations.read-model';
import { AccountRequests } from '../account-request/account-requests.service';
import { Reservations } from './reservations.service';

/** Settles a reservation that is old enough for its request to exist by now. */
export class SettleReservationCommand extends PayloadCommand<{ readonly reservationId: string }> {}

/**
 * If the request exists and names the reservation, it is kept. If the request does not exist, it is abandoned first, so
 * that it can never be created, and then the reservation is freed. If the request does not name this wallet, the wallet
 * is freed.
 */
@CommandHandler(SettleReservationCommand)
export class SettleReservationHandler implements ICommandHandler<SettleReservationCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly reservations: Reservations,
    private readonly unsettled: UnsettledReservations,
  ) {}

  async execute({ payload: { reservationId }, context }: SettleReservationCommand): Promise<void> {
    const { state, revision } = await this.reservations.loadWithRevision(reservationId);
    if (state.status === 'reserved' && !(await this.isKept(state, context)))
      await this.reservations.free(reservationId, state.holderId, context);
    await this.unsettled.settle(reservationId, revision);
  }

  private async isKept(held: HeldReservation, context: RequestContext): Promise<boolean> {
    if (held.holderId === held.accountId) return true;
    const { state } = await this.requests.handle(
      held.holderId,
      (at) => ({ kind: 'abandon', requestId: held.holderId, at }),
      { ...context, commandId: derivedId('abandon', held.holderId) },
    );
    if (!isOpenRequest(state) || isFreed(state)) return false;
    return held.kind === 'identifier' || state.terms.externalWallets.some(({ address }) => address === held.address);
  }
}
