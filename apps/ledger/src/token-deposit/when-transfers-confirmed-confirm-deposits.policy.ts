import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { IncomingTransfersConfirmed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { SettleArrivalsCommand } from './receive-arrivals.command';

/** Their block has the confirmations of its chain; nothing is credited before it is final. */
@EventsHandler(IncomingTransfersConfirmed)
export class WhenTransfersConfirmedConfirmDeposits implements IEventHandler<Recorded<IncomingTransfersConfirmed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<IncomingTransfersConfirmed>): Promise<void> {
    await this.commands.execute(
      new SettleArrivalsCommand(
        'confirm-arrival',
        event.data.depositIds,
        causedBy(event, 'confirm-arrival', 'when-transfers-confirmed'),
      ),
    );
  }
}
