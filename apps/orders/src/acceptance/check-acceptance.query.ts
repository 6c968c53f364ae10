import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { OrderRecord, CheckAcceptance } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { Orders } from '../order/orders.repository';
import { ReserveFunds } from '../funding/reserve-funds.service';
import { ValidateAcceptance } from './validate-acceptance.service';
import { orderIdOf } from '../order/order-ids.domain';
import { termsOf } from '../order/order.state';
import { recordOf } from '../order/orders.read-model';

/** A dry run of an acceptance: makes every check, including the balance, but creates no hold, charge or event. */
export class CheckAcceptanceQuery extends RequestQuery<typeof CheckAcceptance> {}

@QueryHandler(CheckAcceptanceQuery)
export class CheckAcceptanceHandler implements IQueryHandler<CheckAcceptanceQuery> {
  constructor(
    private readonly orders: Orders,
    private readonly acceptances: ValidateAcceptance,
    private readonly funding: ReserveFunds,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The order that would be placed now, without a Pix code, which needs a charge. Refuses as the acceptance would. */
  async execute({ payload, context }: CheckAcceptanceQuery): Promise<OrderRecord> {
    const at = isoTime(this.clock.now());
    const orderId = orderIdOf(payload.quoteId);
    const state = await this.orders.load(orderId);
    const { plan, ...facts } = await this.acceptances.validate(payload, { orderId, state, at }, context);
    const created = { createdBy: payload.callerAccountId, createdByApiKey: context.actor };
    const terms = termsOf(payload, {
      ...{ orderId, at, ...facts, ...created },
      funding: await this.funding.check(plan, context),
    });
    return { ...recordOf({ status: 'created', terms, since: at }), brcode: null };
  }
}
