import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { OrderRecord, PlaceOrderPayload, Timestamp, PlaceOrder } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Refusal, Unavailable, fromIso } from '@ponte/kernel';
import { CLOCK, LOGGER, RequestCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { termsOf, ValidateAcceptance } from '../acceptance/validate-acceptance';
import { newFundingId, orderIdOf } from './order-ids.domain';
import type { Place, PlacedOrder } from './order.state';
import { abandonedFunding, placed } from './order.state';
import { FundingAbandoned } from './order.errors';
import { recordOf } from './orders.read-model';
import { ExternalIds } from './external-ids';
import { ReleaseFundsCommand } from '../funding/release-funds.command';
import { Orders } from './orders.repository';
import type { FundingPlan } from '../funding/reserve-funds';
import { ReserveFunds } from '../funding/reserve-funds';

/** Accepts a quote: takes what pays for it, then places the order that owns it. */
export class PlaceOrderCommand extends RequestCommand<typeof PlaceOrder> {}

/**
 * How often an acceptance takes another funding because the sweeper gave the last one up; more than once is a stalled
 * process.
 */
const MAX_TAKES = 3;
/** As long as an idempotency key is remembered. */
const SAME_ANSWER_MS = 24 * 60 * 60 * 1_000;

/** What an acceptance has laid its hands on so far. */
interface Acceptance {
  readonly orderId: string;
  readonly payload: PlaceOrderPayload;
  readonly context: RequestContext;
  /** Set before it is taken. */
  fundingId: string | null;
  /** True when the ledger may have it. */
  funded: boolean;
}

@CommandHandler(PlaceOrderCommand)
export class PlaceOrderHandler implements ICommandHandler<PlaceOrderCommand> {
  constructor(
    private readonly orders: Orders,
    private readonly acceptances: ValidateAcceptance,
    private readonly externalIds: ExternalIds,
    private readonly funding: ReserveFunds,
    private readonly commands: CommandBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The same command is answered from the stream before anything is looked up; an outcome that is not known is left to
   * the retry or the sweeper.
   */
  async execute({ payload, context }: PlaceOrderCommand): Promise<OrderRecord> {
    const acceptance: Acceptance = {
      orderId: orderIdOf(payload.quoteId),
      payload,
      context,
      fundingId: null,
      funded: false,
    };
    for (let take = 1; ; take += 1) {
      try {
        return this.answer(
          placed(await this.orders.createIfAbsent(acceptance.orderId, (at) => this.accept(acceptance, at), context)),
        );
      } catch (error) {
        if (error instanceof FundingAbandoned) acceptance.funded = true;
        if (error instanceof FundingAbandoned || error instanceof Refusal) await this.giveBack(acceptance);
        if (!(error instanceof FundingAbandoned)) throw error;
        if (take >= MAX_TAKES) throw new Unavailable('service-unavailable');
      }
    }
  }

  /** A repeated command is answered as the first time, and once a day has gone by with where the order stands. */
  private answer(order: PlacedOrder | undefined): OrderRecord {
    if (!order) throw new Error('an accepted order was placed');
    const { terms } = order;
    const isFresh = this.clock.now() - fromIso(terms.createdAt) < SAME_ANSWER_MS;
    return recordOf(isFresh ? { status: 'created', terms, since: terms.createdAt } : order);
  }

  /** Gathers the facts of one attempt; `at` is the only clock reading that it uses. */
  private async accept(acceptance: Acceptance, at: Timestamp): Promise<Place> {
    const { orderId, payload, context } = acceptance;
    const state = await this.orders.load(orderId);
    const { plan, ...facts } = await this.acceptances.validate(payload, { orderId, state, at }, context);
    const { quote } = facts;
    const { callerAccountId } = payload;
    const fundingId = newFundingId(plan.kind, orderId, context.commandId, abandonedFunding(state));
    acceptance.fundingId = fundingId;
    const funding = await this.take(acceptance, plan, fundingId);
    await this.externalIds.reserve(payload, orderId, quote.expiresAt, fundingId, context);
    const created = { createdBy: payload.callerAccountId, createdByApiKey: context.actor };
    const terms = termsOf(payload, { orderId, at, ...facts, funding, ...created });
    return { kind: 'place', terms, quoteExpiresAt: quote.expiresAt, callerAccountId };
  }

  private async take(acceptance: Acceptance, plan: FundingPlan, fundingId: string) {
    const funding = await this.funding.reserve(plan, fundingId, acceptance.context);
    acceptance.funded = true;
    return funding;
  }

  /** Best effort: what a failure leaves here, the sweeper finds. */
  private async giveBack({ orderId, payload, context, fundingId, funded }: Acceptance): Promise<void> {
    // A refusal before that wrote nothing, so it costs nothing to be refused.
    if (fundingId === null || !funded) return;
    const { accountId, sourcePaymentMethod: kind } = payload;
    try {
      const { owned } = await this.commands.execute(
        new ReleaseFundsCommand({ orderId, accountId, kind, fundingId }, context),
      );
      if (!owned) await this.externalIds.release(payload, orderId, fundingId, context);
    } catch (error) {
      this.logger.warn(
        { ...logged(context), err: error, orderId },
        'what a refused acceptance had taken is left to the sweeper',
      );
    }
  }
}
