import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import type { Delivery } from '@ponte/contracts';
import { WithdrawalCompleted, WithdrawalRolledBack } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { DeliverOrderCommand } from './deliver-order.command';

type Ended = WithdrawalCompleted | WithdrawalRolledBack;

/** Completes the order whose payout withdrawal has ended. Withdrawals without an order are ignored. */
@Policy(WithdrawalCompleted, WithdrawalRolledBack)
export class WhenWithdrawalEndedDeliverOrder implements IEventHandler<Recorded<Ended>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<Ended>): Promise<void> {
    const { orderId } = event.data;
    if (orderId === undefined) return;
    const context = causedBy(event, 'deliver-order', 'when-withdrawal-ended');
    await this.commands.execute(new DeliverOrderCommand({ orderId, delivery: deliveryOf(event) }, context));
  }
}

function deliveryOf(event: Recorded<Ended>): Delivery {
  switch (event.type) {
    case 'WithdrawalCompleted':
      return { state: 'delivered', reason: null };
    case 'WithdrawalRolledBack':
      return { state: 'kept-in-balance', reason: event.data.failure.code };
  }
}
