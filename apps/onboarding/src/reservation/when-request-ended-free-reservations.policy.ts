import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import { AccountRequestRejected, AccountRequestExpired, AccountRequestCancelled } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { FreeReservationsCommand } from './free-reservations.command';

/** Frees the identifier and the wallets of a request that was rejected, expired or cancelled. */
@EventsHandler(AccountRequestRejected, AccountRequestExpired, AccountRequestCancelled)
export class WhenRequestEndedFreeReservations implements IEventHandler<
  Recorded<AccountRequestRejected | AccountRequestExpired | AccountRequestCancelled>
> {
  constructor(private readonly commands: CommandBus) {}

  async handle(
    event: Recorded<AccountRequestRejected | AccountRequestExpired | AccountRequestCancelled>,
  ): Promise<void> {
    await this.commands.execute(
      new FreeReservationsCommand(
        { requestId: event.data.requestId },
        causedBy(event, 'free-reservations', 'when-request-ended-free-reservations'),
      ),
    );
  }
}
