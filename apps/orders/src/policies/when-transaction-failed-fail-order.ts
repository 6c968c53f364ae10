import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { FailOrderCommand } from '../commands/fail-order';
import { NOT_SETTLED } from '../domain/order/failures';
import { orderOf } from '../domain/order/settlements';

type Failed = TransactionReverted | TransactionSuperseded;

/** A confirmed revert, or a nonce that went to another transaction for good: nothing was moved and nothing will be. */
@EventsHandler(TransactionReverted, TransactionSuperseded)
export class WhenTransactionFailedFailOrder implements IEventHandler<Recorded<Failed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<Failed>): Promise<void> {
    const { purpose } = event.data;
    const orderId = orderOf(purpose);
    if (orderId === null) return;
    await this.commands.execute(new FailOrderCommand(orderId, NOT_SETTLED, causedBy(event, 'fail-order', 'when-transaction-failed')));
  }
}
