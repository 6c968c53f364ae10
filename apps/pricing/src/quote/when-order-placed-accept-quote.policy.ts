import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import { OrderPlaced } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { AcceptQuoteCommand } from './quote.commands';

@Policy(OrderPlaced)
export class WhenOrderPlacedAcceptQuote implements IEventHandler<Recorded<OrderPlaced>> {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  async handle(placed: Recorded<OrderPlaced>): Promise<void> {
    const { quoteId, orderId, createdAt } = placed.data;
    await this.commands.execute(
      new AcceptQuoteCommand(
        { quoteId, orderId, acceptedAt: createdAt },
        causedBy(placed, 'accept-quote', 'when-order-placed-accept-quote'),
      ),
    );
  }
}
