import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ExchangePayload, Timestamp } from '@ponte/contracts';
import { PostExchange } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { deliveryHoldIdOf, payoutIdOf, step } from '../order/order-ids.domain';
import type { OrderTerms } from '../order/order.state';
import { Orders } from '../order/orders.repository';

interface ConfirmedSettlement {
  readonly orderId: string;
  readonly txHash: string;
  readonly txTimestamp: Timestamp;
}

/**
 * Posts the exchange of an order whose settlement is confirmed on the chain. The order then completes or is ready to be
 * paid out.
 */
export class SettleOrderCommand extends PayloadCommand<ConfirmedSettlement> {}

@CommandHandler(SettleOrderCommand)
export class SettleOrderHandler implements ICommandHandler<SettleOrderCommand> {
  constructor(
    private readonly orders: Orders,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: settlement, context }: SettleOrderCommand): Promise<void> {
    const { orderId, txHash, txTimestamp } = settlement;
    const state = await this.orders.load(orderId, ({ status }) => status === 'processing' || status === 'completed');
    if (state.status === 'completed' || (state.status === 'processing' && state.settled)) return;
    // Contradictory: the order has already given its money back. Throw, so that the event is parked for an operator.
    if (state.status === 'rolled-back')
      throw new Error(`a settlement of order ${orderId} is confirmed, but the order is rolled back`);
    // Only a processing order requests a settlement, so any earlier status means that this state is out of date.
    if (state.status !== 'processing') return behindEvent(`order ${orderId}`, state.status);
    await this.bus.request(
      PostExchange,
      exchangeOf(state.terms, state.holdId),
      step(context, 'post-exchange', orderId),
    );
    await this.orders.execute(
      orderId,
      (at) => ({ kind: 'settle', at, txHash, txTimestamp }),
      step(context, 'settle', orderId),
    );
  }
}

function exchangeOf(terms: OrderTerms, holdId: string): ExchangePayload {
  const { orderId, accountId, sourceAsset, sourceAmount, targetAsset, targetAmount, target, charges, pixDelivery } =
    terms;
  const credit = { asset: targetAsset, amount: targetAmount };
  return {
    accountId,
    orderId,
    holdId,
    charges,
    credit,
    custody: target?.custody ?? false,
    debit: { asset: sourceAsset, amount: sourceAmount },
    deliveryHold: pixDelivery && {
      holdId: deliveryHoldIdOf(orderId),
      owner: { kind: 'withdrawal', id: payoutIdOf(orderId) },
      ...credit,
    },
  };
}
