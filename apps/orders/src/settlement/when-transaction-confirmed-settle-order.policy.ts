import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionConfirmed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { SettleOrderCommand } from './settle-order.command';
import { orderOf } from './settlements.domain';

/** Settles the order whose transaction has enough confirmations. */
@Policy(TransactionConfirmed)
export class WhenTransactionConfirmedSettleOrder implements IEventHandler<Recorded<TransactionConfirmed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionConfirmed>): Promise<void> {
    const { purpose, txHash, minedAt: txTimestamp } = event.data;
    const orderId = orderOf(purpose);
    if (orderId === null) return;
    const settlement = { orderId, txHash, txTimestamp };
    await this.commands.execute(
      new SettleOrderCommand(settlement, causedBy(event, 'settle-order', 'when-transaction-confirmed')),
    );
  }
}
