import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { OrderSettled } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { PayOutOrderCommand } from './pay-out-order.command';

/** Pays the BRL that a settled order holds out to its Pix key. */
@Policy(OrderSettled)
export class WhenOrderSettledPayItOut implements IEventHandler<Recorded<OrderSettled>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<OrderSettled>): Promise<void> {
    const context = causedBy(event, 'pay-out-order', 'when-order-settled');
    await this.commands.execute(new PayOutOrderCommand({ orderId: event.data.orderId }, context));
  }
}
