import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { IncomingTransfersSeen } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { ReceiveArrivalsCommand } from './receive-arrivals.command';

/** Creates a deposit for each transfer from outside as soon as it is seen. */
@Policy(IncomingTransfersSeen)
export class WhenTransfersSeenCreateDeposits implements IEventHandler<Recorded<IncomingTransfersSeen>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<IncomingTransfersSeen>): Promise<void> {
    await this.commands.execute(
      new ReceiveArrivalsCommand(event.data, causedBy(event, 'receive-arrivals', 'when-transfers-seen')),
    );
  }
}
