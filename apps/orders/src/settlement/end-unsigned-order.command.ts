import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Failure, RefusedReason } from '@ponte/contracts';
import { RefuseSettlement } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { isToken } from '@ponte/kernel';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { FailOrderCommand } from '../order/fail-order.command';
import { ACCOUNT_NOT_ACTIVE, NOT_SETTLEABLE, PAYMENT_TAKEN_BACK } from '../order/order-failures.domain';
import { settlementIdOf, step } from '../order/order-ids.domain';
import { Orders } from '../order/orders.repository';
import { isPaymentBlocked } from './blocked-money';

interface EndUnsignedOrder {
  readonly orderId: string;
  readonly reason: RefusedReason;
  /** If set, only an order that this deposit paid ends. */
  readonly depositId?: string;
}

/**
 * Rolls a processing order back, unless its settlement is sent already or has a nonce: then its transaction decides how
 * the order ends. `ended`: the order is rolled back.
 */
export class EndUnsignedOrderCommand extends PayloadCommand<EndUnsignedOrder, { readonly ended: boolean }> {}

const FAILURES: Readonly<Record<RefusedReason, Failure>> = {
  'account-not-active': ACCOUNT_NOT_ACTIVE,
  'payment-taken-back': PAYMENT_TAKEN_BACK,
  refused: NOT_SETTLEABLE,
};

/**
 * Movements refuses the settlement first, also a request for it that is still on its way. So the order never fails
 * while its settlement is sent, and a repetition after a crash gets the same answer.
 */
@CommandHandler(EndUnsignedOrderCommand)
export class EndUnsignedOrderHandler implements ICommandHandler<EndUnsignedOrderCommand> {
  constructor(
    private readonly orders: Orders,
    private readonly commands: CommandBus,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload, context }: EndUnsignedOrderCommand): Promise<{ readonly ended: boolean }> {
    const { orderId, reason, depositId } = payload;
    const state = await this.orders.load(orderId, ({ status }) => status === 'processing');
    if (state.status === 'absent') return behindEvent(`order ${orderId}`, state.status);
    if (state.status !== 'processing' || state.settled) return { ended: state.status === 'rolled-back' };
    if (depositId !== undefined && state.depositId !== depositId) return { ended: false };
    // Checked before the settlement is refused: an order that cannot be rolled back now may still be settled later.
    if (await isPaymentBlocked(this.bus, state, FAILURES[reason], context)) return { ended: false };
    const { settlement: kind, sourceAsset, targetAsset } = state.terms;
    const { refused } = await this.bus.request(
      RefuseSettlement,
      { settlementId: settlementIdOf(orderId), kind, asset: isToken(targetAsset) ? targetAsset : sourceAsset, reason },
      step(context, 'refuse-settlement', orderId),
    );
    if (!refused) return { ended: false };
    return this.commands.execute(new FailOrderCommand({ orderId, failure: FAILURES[reason] }, context));
  }
}
