import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { OrderPlaced } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { StartOrderCommand } from '../commands/start-order';

/** An order from the balance holds its money already; a brcode order waits for the Pix. */
@EventsHandler(OrderPlaced)
export class WhenOrderPlacedStartOrder implements IEventHandler<Recorded<OrderPlaced>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<OrderPlaced>): Promise<void> {
    const { orderId, funding } = event.data;
    if (funding.kind !== 'account-balance') return;
    const { holdId } = funding;
    await this.commands.execute(new StartOrderCommand({ orderId, fundingId: holdId, holdId, depositId: null }, causedBy(event, 'start-order', 'when-order-placed')));
  }
}
