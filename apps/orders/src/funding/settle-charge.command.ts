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
import { ReturnPayment } from './return-payment';
import { withoutDeadline, step } from '../order/steps';

export interface EndedCharge {
  readonly orderId: string;
  readonly accountId: string;
  readonly txid: string;
  readonly outcome: Exclude<ChargeOutcome, { state: 'open' }>;
}

/**
 * A charge came to its end, as an event or the bank tells: its order starts, or is rolled back, or the payment goes
 * back.
 */
export class SettleChargeCommand extends PayloadCommand<EndedCharge> {}

@CommandHandler(SettleChargeCommand)
export class SettleChargeHandler implements ICommandHandler<SettleChargeCommand> {
  constructor(
    private readonly orders: Orders,
    private readonly returnPayment: ReturnPayment,
  ) {}

  async execute({ payload: charge, context }: SettleChargeCommand): Promise<void> {
    const state = await this.fixed(charge, context);
    const { outcome } = charge;
    switch (outcome.state) {
      case 'paid':
        return this.paid(charge, outcome, state, context);
      case 'mispaid':
        return this.failed(charge, outcome.reason, context);
      case 'closed':
        return this.failed(charge, 'brcode-expired', context);
    }
  }

  /**
   * Where no order was placed none can be placed any more with this charge: an acceptance that is still on its way
   * takes another.
   */
  private fixed({ orderId, accountId, txid }: EndedCharge, context: RequestContext): Promise<Order> {
    return this.orders.execute(
      orderId,
      { kind: 'abandon', orderId, accountId, fundingId: txid },
      withoutDeadline(context, 'abandon', orderId, txid),
    );
  }

  /** A payment that its order does not or no longer need is sent back. */
  private async paid(
    { orderId, txid }: EndedCharge,
    { holdId, depositId }: Extract<ChargeOutcome, { state: 'paid' }>,
    state: Order,
    context: RequestContext,
  ): Promise<void> {
    const existing = placed(state);
    const then =
      existing && owns(existing, txid)
        ? await this.orders.execute(
            orderId,
            (at) => ({ kind: 'start', fundingId: txid, holdId, depositId, at }),
            step(context, 'start', orderId),
          )
        : undefined;
    if (!then || then.status === 'rolled-back') await this.returnPayment.of(txid, context);
  }

  private async failed(
    { orderId, txid }: EndedCharge,
    code: ChargeFailureCode,
    context: RequestContext,
  ): Promise<void> {
    const failure = chargeFailure(code);
    const state = await this.orders.execute(
      orderId,
      (at) => ({ kind: 'roll-back', from: 'created', fundingId: txid, at, failure }),
      withoutDeadline(context, 'roll-back', orderId),
    );
    // The acceptance was fixed a moment ago, so an absent order is an old state.
    if (state.status === 'absent') behindEvent(`order ${orderId}`, state.status);
    const existing = placed(state);
    // Only a paid charge starts its order: money that moved on one that was not paid is an alarm, and the event is
    // parked for a person.
    if (existing && owns(existing, txid) && existing.status !== 'rolled-back')
      throw new Error(`charge ${txid} was not paid, but its order ${orderId} is ${existing.status}`);
  }
}
