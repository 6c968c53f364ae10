import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { OrderProcessingStarted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { RequestSettlementCommand } from './request-settlement.command';

/** Requests the settlement once the source amount is certain: held since the acceptance, or paid by Pix. */
@Policy(OrderProcessingStarted)
export class WhenOrderProcessingStartedRequestSettlement implements IEventHandler<Recorded<OrderProcessingStarted>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<OrderProcessingStarted>): Promise<void> {
    const context = causedBy(event, 'request-settlement', 'when-order-processing-started');
    await this.commands.execute(new RequestSettlementCommand({ orderId: event.data.orderId }, context));
  }
}
