import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import {
  AccountRequestRejected,
  AccountRequestExpired,
  AccountRequestCancelled,
  RequestedAccountClosed,
} from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { FreeReservationsCommand } from './free-reservations.command';

type Ended = AccountRequestRejected | AccountRequestExpired | AccountRequestCancelled | RequestedAccountClosed;

/**
 * Frees the identifier and the wallets of a request that was rejected, expired or cancelled, or whose account was
 * closed.
 */
@Policy(AccountRequestRejected, AccountRequestExpired, AccountRequestCancelled, RequestedAccountClosed)
export class WhenRequestEndedFreeReservations implements IEventHandler<Recorded<Ended>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<Ended>): Promise<void> {
    await this.commands.execute(
      new FreeReservationsCommand(
        { requestId: event.data.requestId },
        causedBy(event, 'free-reservations', 'when-request-ended-free-reservations'),
      ),
    );
  }
}
