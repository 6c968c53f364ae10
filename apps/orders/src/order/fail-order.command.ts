import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Failure } from '@ponte/contracts';
import { ReleaseHold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent, logged } from '@ponte/event-sourcing';
import { LOGGER, MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { fundingIdOf, step } from './order-ids.domain';
import type { OrderTerms } from './order.state';
import { Orders } from './orders.repository';
import { ReturnPayment } from '../funding/return-payment.service';
import { isPaymentBlocked } from '../settlement/blocked-money';

/**
 * Rolls back an order whose settlement moved nothing on the chain and never will. The source amount is returned first.
 * If it must not be returned while the account is frozen, nothing is done: the release of the account, or the sweep,
 * fails the order. `ended`: the order is rolled back.
 */
export class FailOrderCommand extends PayloadCommand<
  { readonly orderId: string; readonly failure: Failure },
  { readonly ended: boolean }
> {}

@CommandHandler(FailOrderCommand)
export class FailOrderHandler implements ICommandHandler<FailOrderCommand> {
  constructor(
    private readonly orders: Orders,
    private readonly returnPayment: ReturnPayment,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ payload: { orderId, failure }, context }: FailOrderCommand): Promise<{ readonly ended: boolean }> {
    const state = await this.orders.load(orderId);
    if (state.status === 'rolled-back') return { ended: true };
    // Contradictory: the settlement was confirmed before. Throw without returning anything; the event is parked for an
    // operator.
    if (state.status === 'completed' || (state.status === 'processing' && state.settled)) {
      throw new Error(`the settlement of order ${orderId} failed, but it was confirmed before`);
    }
    // Only a processing order requests a settlement, so any earlier status means that this state is out of date.
    if (state.status !== 'processing') behindEvent(`order ${orderId}`, state.status);
    if (await isPaymentBlocked(this.bus, state, failure, context)) {
      this.logger.warn(
        { ...logged(context), orderId, code: failure.code },
        'the payment of an order must not leave its frozen account; the order fails only after the release',
      );
      return { ended: false };
    }
    await this.releaseFunding(state.terms, context);
    const fundingId = fundingIdOf(state.terms.funding);
    await this.orders.execute(
      orderId,
      (at) => ({ kind: 'roll-back', from: 'processing', fundingId, at, failure }),
      step(context, 'roll-back', orderId),
    );
    return { ended: true };
  }

  private async releaseFunding({ accountId, funding }: OrderTerms, context: RequestContext): Promise<void> {
    switch (funding.kind) {
      case 'account-balance': {
        const { holdId } = funding;
        await this.bus.request(
          ReleaseHold,
          { accountId, holdId, reason: 'order-rolled-back', placed: true },
          step(context, 'release-hold', holdId),
        );
        return;
      }
      case 'brcode':
        return this.returnPayment.of(funding.txid, context);
    }
  }
}
