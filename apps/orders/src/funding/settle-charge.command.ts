import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ChargeOutcome } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import type { ChargeFailureCode } from '../order/order-failures.domain';
import { chargeFailure } from '../order/order-failures.domain';
import type { Order } from '../order/order.state';
import { owns, placed } from '../order/order.state';
import { Orders } from '../order/orders.repository';
import { ReturnPayment } from './return-payment.service';
import { withoutDeadline, step } from '../order/order-ids.domain';

export interface EndedCharge {
  readonly orderId: string;
  readonly accountId: string;
  readonly txid: string;
  readonly outcome: Exclude<ChargeOutcome, { state: 'open' }>;
}

/**
 * Handles the end of a charge, reported by an event or by the bank: starts the order, rolls it back, or returns the
 * payment.
 */
export class SettleChargeCommand extends PayloadCommand<EndedCharge> {}

@CommandHandler(SettleChargeCommand)
export class SettleChargeHandler implements ICommandHandler<SettleChargeCommand> {
  constructor(
    private readonly orders: Orders,
    private readonly returnPayment: ReturnPayment,
  ) {}

  async execute({ payload: charge, context }: SettleChargeCommand): Promise<void> {
    const state = await this.abandonUnlessPlaced(charge, context);
    const { outcome } = charge;
    switch (outcome.state) {
      case 'paid':
        return this.paid(charge, outcome, state, context);
      case 'mispaid':
        return this.rollBack(charge, outcome.reason, context, outcome.depositId);
      case 'closed':
        return this.rollBack(charge, 'brcode-expired', context);
    }
  }

  /**
   * Abandons the charge unless an order was placed with it. From then on no order can be placed with this charge; an
   * acceptance still in progress takes another.
   */
  private abandonUnlessPlaced({ orderId, accountId, txid }: EndedCharge, context: RequestContext): Promise<Order> {
    return this.orders.execute(
      orderId,
      { kind: 'abandon', orderId, accountId, fundingId: txid },
      withoutDeadline(context, 'abandon', orderId, txid),
    );
  }

  /** Starts the order. Returns the payment if its order does not need it, or no longer does. */
  private async paid(
    { orderId, txid }: EndedCharge,
    { holdId, depositId }: Extract<ChargeOutcome, { state: 'paid' }>,
    state: Order,
    context: RequestContext,
  ): Promise<void> {
    const existing = placed(state);
    const started =
      existing && owns(existing, txid)
        ? await this.orders.execute(
            orderId,
            (at) => ({ kind: 'start', fundingId: txid, holdId, depositId, at }),
            step(context, 'start', orderId),
          )
        : undefined;
    if (!started || started.status === 'rolled-back') await this.returnPayment.of(txid, context);
  }

  private async rollBack(
    { orderId, txid }: EndedCharge,
    code: ChargeFailureCode,
    context: RequestContext,
    depositId?: string,
  ): Promise<void> {
    const failure = chargeFailure(code);
    const refused = depositId === undefined ? {} : { depositId };
    const state = await this.orders.execute(
      orderId,
      (at) => ({ kind: 'roll-back', from: 'created', fundingId: txid, at, failure, ...refused }),
      withoutDeadline(context, 'roll-back', orderId),
    );
    // `abandonUnlessPlaced` has just written to the stream, so an absent order means that this state is out of date.
    if (state.status === 'absent') behindEvent(`order ${orderId}`, state.status);
    const existing = placed(state);
    // Only a paid charge starts its order. If the charge was not paid but money moved, throw: the event is parked and
    // an operator is alerted.
    if (existing && owns(existing, txid) && existing.status !== 'rolled-back')
      throw new Error(`charge ${txid} was not paid, but its order ${orderId} is ${existing.status}`);
  }
}
