import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { each, SweepCount } from '@ponte/concurrency';
import { GetAccount, GetSettlement, GetWithdrawal } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CLOCK, ContextCommand, LOGGER, MESSAGE_BUS, METRICS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Logger } from 'pino';
import { isPaymentBlocked } from './blocked-money';
import { RequestSettlementCommand } from './request-settlement.command';
import { SettleOrderCommand } from './settle-order.command';
import { failureIn } from './settlements.domain';
import { FailOrderCommand } from '../order/fail-order.command';
import { TARGET_REFUSED } from '../order/order-failures.domain';
import { Orders } from '../order/orders.repository';
import { payoutIdOf, settlementIdOf } from '../order/order-ids.domain';
import type { Order, OrderTerms } from '../order/order.state';
import { needsScreening } from '../order/order.state';
import type { OldOrder } from '../order/orders.read-model';
import { OrderReadModel } from '../order/orders.read-model';
import { ORDERS_CONFIG } from '../order/orders-settings.port';
import type { OrdersSettings } from '../order/orders-settings.port';
import { DeliverOrderCommand } from '../delivery/deliver-order.command';
import { PayOutOrderCommand } from '../delivery/pay-out-order.command';
import { SweepSchedule } from './sweep-schedule';

/**
 * Requests again what an order that has been processing for too long lacks: its settlement, the exchange after it was
 * confirmed, its payout, or its completion after the payout ended.
 */
export class RequestMissingSettlementsCommand extends ContextCommand {}

const isUnscreened = (state: Order): boolean =>
  state.status === 'processing' && state.screened === null && needsScreening(state.terms);

/** Rows per page; every page is read. */
const PAGE = 500;

/**
 * The safety net for the policies. Without it, a lost request would hold an order's funds forever. Each run examines
 * the orders that are due: during a long outage of a chain, all of its orders wait.
 */
@CommandHandler(RequestMissingSettlementsCommand)
export class RequestMissingSettlementsHandler implements ICommandHandler<RequestMissingSettlementsCommand> {
  private readonly missing: SweepCount;
  private readonly schedule: SweepSchedule;

  constructor(
    private readonly orders: Orders,
    private readonly commands: CommandBus,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    private readonly readModel: OrderReadModel,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SYSTEM_CLOCK) systemClock: Clock,
    @Inject(ORDERS_CONFIG) private readonly settings: OrdersSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) metrics: Metrics,
  ) {
    this.missing = new SweepCount(systemClock);
    this.schedule = new SweepSchedule(settings.settlementRetrySeconds * 1_000);
    metrics.measure('ponte_orders_without_settlement', async () => [{ value: this.missing.value() }]);
  }

  execute({ context }: RequestMissingSettlementsCommand): Promise<void> {
    return this.missing.run((found) => this.sweep(found, context));
  }

  private async sweep(found: () => void, context: RequestContext): Promise<void> {
    const now = this.clock.now();
    const before = isoTime(now - this.settings.settlementRetrySeconds * 1_000);
    const run = this.schedule.run(now);
    for (let after: OldOrder | null = null; ;) {
      const page: readonly OldOrder[] = await this.readModel.processing(before, after, PAGE);
      run.offer(page);
      after = page.at(-1) ?? null;
      if (page.length < PAGE) break;
    }
    const { orders, left } = run.end();
    for (let one = 0; one < left; one += 1) found();
    await each(
      orders,
      ({ orderId }) => this.examine(orderId, now, found, context),
      (error, { orderId }) => {
        this.schedule.recordFailure(orderId, now);
        this.logger.warn(
          { ...logged(context), err: error, orderId },
          'the settlement of an order could not be requested again; the next sweep retries',
        );
      },
    );
  }

  /** `now`: when the run began, epoch ms. */
  private async examine(orderId: string, now: number, found: () => void, context: RequestContext): Promise<void> {
    const state = await this.orders.load(orderId);
    const dueAt =
      state.status === 'processing' ? Date.parse(state.since) + this.settings.settlementRetrySeconds * 1_000 : 0;
    if (dueAt > now) return this.schedule.postpone(orderId, dueAt);
    const next = await this.missingStep(orderId, state, context);
    if (!next) return this.schedule.recordWaiting(orderId, now);
    try {
      await this.commands.execute(next);
    } finally {
      // An order that waits for the review of its external wallet lacks nothing.
      if (await this.awaitsScreening(orderId)) this.schedule.recordWaiting(orderId, now);
      else {
        this.schedule.recordMissing(orderId, now);
        found();
        this.logger.warn(
          { ...logged(context), orderId },
          'a processing order lacked its next step, which was requested again',
        );
      }
    }
  }

  private async awaitsScreening(orderId: string): Promise<boolean> {
    return isUnscreened(await this.orders.load(orderId));
  }

  /** The command that the order needs next. Null if it waits for the chain, the bank or the release of its account. */
  private async missingStep(orderId: string, state: Order, context: RequestContext): Promise<Command<unknown> | null> {
    if (state.status !== 'processing') return null;
    if (state.settled) return this.payout(state.terms, context);
    const { accountId, settlement: kind } = state.terms;
    const found = await this.bus.request(GetSettlement, { settlementId: settlementIdOf(orderId), kind }, context);
    if (found?.confirmed) {
      const { txHash, minedAt: txTimestamp, confirmedAt } = found.confirmed;
      // An order whose settlement was confirmed just now is left to its policy.
      const isDue = Date.parse(confirmedAt) + this.settings.settlementRetrySeconds * 1_000 <= this.clock.now();
      return isDue ? new SettleOrderCommand({ orderId, txHash, txTimestamp }, context) : null;
    }
    if (found !== null) {
      const failure = failureIn(found);
      if (!failure || (await isPaymentBlocked(this.bus, state, failure, context))) return null;
      return new FailOrderCommand({ orderId, failure }, context);
    }
    const account = await this.bus.request(GetAccount, { accountId }, context);
    // Staff may refuse the external wallet of an order while its account is frozen. If the run that recorded the
    // refusal was interrupted, the order is still to be rolled back.
    if (account?.status === 'frozen' && !isUnscreened(state)) {
      const isRefused = state.screened?.outcome === 'refused';
      if (!isRefused || (await isPaymentBlocked(this.bus, state, TARGET_REFUSED, context))) return null;
    }
    return new RequestSettlementCommand({ orderId }, context);
  }

  private async payout({ orderId, accountId }: OrderTerms, context: RequestContext): Promise<Command<void> | null> {
    const found = await this.bus.request(GetWithdrawal, { accountId, withdrawalId: payoutIdOf(orderId) }, context);
    switch (found?.state) {
      case undefined:
        return new PayOutOrderCommand({ orderId }, context);
      case 'created':
      case 'processing':
        return null;
      case 'completed':
        return new DeliverOrderCommand({ orderId, delivery: { state: 'delivered', reason: null } }, context);
      case 'rolled-back':
        return new DeliverOrderCommand(
          { orderId, delivery: { state: 'kept-in-balance', reason: found.failure?.code ?? null } },
          context,
        );
    }
  }
}
