import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Delivery } from '@ponte/contracts';
import { ReleaseHold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { Orders } from '../order/orders.repository';
import { deliveryHoldIdOf, step } from '../order/order-ids.domain';

/** Completes an order whose payout has ended, and records where its BRL is. */
export class DeliverOrderCommand extends PayloadCommand<{ readonly orderId: string; readonly delivery: Delivery }> {}

@CommandHandler(DeliverOrderCommand)
export class DeliverOrderHandler implements ICommandHandler<DeliverOrderCommand> {
  constructor(
    private readonly orders: Orders,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: { orderId, delivery }, context }: DeliverOrderCommand): Promise<void> {
    const state = await this.orders.load(
      orderId,
      (held) => held.status === 'completed' || (held.status === 'processing' && held.settled !== null),
    );
    if (state.status === 'completed') return;
    // Only a settled order requests a payout, so any earlier status means that this state is out of date.
    if (state.status !== 'processing' || !state.settled) return behindEvent(`order ${orderId}`, state.status);
    // A reader of this delivery can spend the BRL at once. The ledger releases the hold too, which is harmless.
    if (delivery.state === 'kept-in-balance') await this.release(orderId, state.terms.accountId, context);
    await this.orders.execute(orderId, (at) => ({ kind: 'deliver', at, delivery }), step(context, 'deliver', orderId));
  }

  private async release(orderId: string, accountId: string, context: RequestContext): Promise<void> {
    const holdId = deliveryHoldIdOf(orderId);
    const payload = { accountId, holdId, reason: 'withdrawal-rolled-back', placed: true };
    await this.bus.request(ReleaseHold, payload, step(context, 'release-hold', holdId));
  }
}
