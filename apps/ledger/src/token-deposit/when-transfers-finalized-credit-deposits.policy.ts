import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { IncomingTransfersFinalized } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { SettleArrivalsCommand } from './receive-arrivals.command';

/** Their block cannot be replaced any more: they are credited, or wait for the release of a frozen account. */
@EventsHandler(IncomingTransfersFinalized)
export class WhenTransfersFinalizedCreditDeposits implements IEventHandler<Recorded<IncomingTransfersFinalized>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<IncomingTransfersFinalized>): Promise<void> {
    await this.commands.execute(
      new SettleArrivalsCommand(
        'finalize-arrival',
        event.data.depositIds,
        causedBy(event, 'finalize-arrival', 'when-transfers-finalized'),
      ),
    );
  }
}
