import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { IncomingTransfersReorged } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { SettleArrivalsCommand } from './receive-arrivals.command';

/** Their block was replaced before it was final; what was never credited leaves no trace in balances. */
@EventsHandler(IncomingTransfersReorged)
export class WhenTransfersReorgedVoidDeposits implements IEventHandler<Recorded<IncomingTransfersReorged>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<IncomingTransfersReorged>): Promise<void> {
    await this.commands.execute(
      new SettleArrivalsCommand(
        'void-reorged',
        event.data.depositIds,
        causedBy(event, 'void-reorged', 'when-transfers-reorged'),
      ),
    );
  }
}
