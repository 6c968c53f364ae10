import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { PayOutOrder } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { Orders } from '../order/orders.repository';
import { deliveryHoldIdOf, payoutIdOf, step } from '../order/order-ids.domain';
import type { OrderTerms } from '../order/order.state';

/** Requests the payout of a settled order from the ledger. A repeated request names the same withdrawal. */
export class PayOutOrderCommand extends PayloadCommand<{ readonly orderId: string }> {}

@CommandHandler(PayOutOrderCommand)
export class PayOutOrderHandler implements ICommandHandler<PayOutOrderCommand> {
  constructor(
    private readonly orders: Orders,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: { orderId }, context }: PayOutOrderCommand): Promise<void> {
    const state = await this.orders.load(
      orderId,
      (held) => held.status === 'completed' || (held.status === 'processing' && held.settled !== null),
    );
    if (state.status === 'completed') return;
    if (state.status !== 'processing' || !state.settled) return behindEvent(`order ${orderId}`, state.status);
    await this.bus.request(PayOutOrder, payoutOf(state.terms), step(context, 'pay-out', orderId));
  }
}

function payoutOf(terms: OrderTerms) {
  const { orderId, accountId, parentId, createdBy, createdByApiKey, targetAmount: amount, pixDelivery: target } = terms;
  if (!target) throw new Error(`order ${orderId} has no Pix key to pay out to`);
  return {
    withdrawalId: payoutIdOf(orderId),
    holdId: deliveryHoldIdOf(orderId),
    createdByApiKey: createdByApiKey ?? null,
    ...{ orderId, accountId, parentId, createdBy, amount, target },
  };
}
