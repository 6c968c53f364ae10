import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionGivenUp, TransactionReverted, TransactionSuperseded } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { FailOrderCommand } from '../order/fail-order.command';
import { failureOf, orderOf } from './settlements.domain';

type Failed = TransactionReverted | TransactionSuperseded | TransactionGivenUp;

/**
 * Fails the order of a transaction that moved nothing and never will: a confirmed revert, a superseded transaction, or
 * one that was given up.
 */
@Policy(TransactionReverted, TransactionSuperseded, TransactionGivenUp)
export class WhenTransactionFailedFailOrder implements IEventHandler<Recorded<Failed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<Failed>): Promise<void> {
    const { purpose } = event.data;
    const orderId = orderOf(purpose);
    if (orderId === null) return;
    const context = causedBy(event, 'fail-order', 'when-transaction-failed');
    const failure = failureOf(event.type === 'TransactionGivenUp' ? event.data.reason : null);
    await this.commands.execute(new FailOrderCommand({ orderId, failure }, context));
  }
}
