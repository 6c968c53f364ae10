import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { OrderProcessingStarted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { AskForMintCommand } from '../commands/ask-for-mint';

/** The money is certain: held since the acceptance, or paid by Pix. */
@EventsHandler(OrderProcessingStarted)
export class WhenOrderProcessingStartedRequestMint implements IEventHandler<Recorded<OrderProcessingStarted>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<OrderProcessingStarted>): Promise<void> {
    await this.commands.execute(new AskForMintCommand(event.data.orderId, causedBy(event, 'request-mint', 'when-order-processing-started')));
  }
}
