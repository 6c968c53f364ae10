import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { OrderRecord, PlaceOrderPayload, Timestamp, PlaceOrder } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Refusal, Unavailable, repeatsFirstResponse } from '@ponte/kernel';
import { CLOCK, LOGGER, RequestCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { ValidateAcceptance } from '../acceptance/validate-acceptance.service';
import { newFundingId, orderIdOf } from './order-ids.domain';
import type { Place } from './order.commands';
import type { PlacedOrder } from './order.state';
import { abandonedFunding, placed, termsOf } from './order.state';
import { FundingAbandoned, SourceTaken } from './order.errors';
import { recordOf } from './orders.read-model';
import { ExternalIds } from './external-ids.service';
import { ReleaseFundsCommand } from '../funding/release-funds.command';
import { Orders } from './orders.repository';
import type { FundingPlan } from '../funding/reserve-funds.service';
import { ReserveFunds } from '../funding/reserve-funds.service';

/** Accepts a quote: reserves the funds, then places the order that owns them. */
export class PlaceOrderCommand extends RequestCommand<typeof PlaceOrder> {}

/**
 * How often an acceptance reserves funds before it gives up. It reserves again when the sweep abandoned its previous
 * funding, where more than one repetition means a stalled process, and when another request took the tokens of its
 * wallet first.
 */
const MAX_ATTEMPTS = 3;

/** What an acceptance has reserved so far. */
interface Acceptance {
  readonly orderId: string;
  readonly payload: PlaceOrderPayload;
  readonly context: RequestContext;
  /** Set before the funds are reserved. */
  fundingId: string | null;
  /** Whether the ledger or the bank may have reserved the funds. */
  funded: boolean;
}

/** Whether the acceptance has ended and no order owns the funds that it has reserved. */
const endsAcceptance = (error: unknown): boolean =>
  error instanceof FundingAbandoned || error instanceof SourceTaken || error instanceof Refusal;

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
   * Answers a repeated command from the stream before anything is looked up. An unknown outcome is left to the retry or
   * to the sweep.
   */
  async execute({ payload, context }: PlaceOrderCommand): Promise<OrderRecord> {
    const acceptance: Acceptance = {
      orderId: orderIdOf(payload.quoteId),
      payload,
      context,
      fundingId: null,
      funded: false,
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return this.answer(
          placed(await this.orders.createIfAbsent(acceptance.orderId, (at) => this.accept(acceptance, at), context)),
        );
      } catch (error) {
        if (error instanceof FundingAbandoned) acceptance.funded = true;
        // All checks are repeated: they find another wallet, or what is wrong with this one.
        if (error instanceof SourceTaken && attempt < MAX_ATTEMPTS) continue;
        if (endsAcceptance(error)) await this.releaseAcceptance(acceptance);
        if (error instanceof SourceTaken) throw error.refusal;
        if (!(error instanceof FundingAbandoned)) throw error;
        if (attempt >= MAX_ATTEMPTS) throw new Unavailable('service-unavailable');
      }
    }
  }

  /** Returns the first response for a repeated command, and the current state once a day has passed. */
  private answer(order: PlacedOrder | undefined): OrderRecord {
    if (!order) throw new Error('the accepted order was not placed');
    const { terms } = order;
    const isFresh = repeatsFirstResponse(terms.createdAt, this.clock.now());
    return recordOf(isFresh ? { status: 'created', terms, since: terms.createdAt } : order);
  }

  /** Collects the facts of one attempt. `at` is the only clock reading that it uses. */
  private async accept(acceptance: Acceptance, at: Timestamp): Promise<Place> {
    const { orderId, payload, context } = acceptance;
    await this.externalIds.refuseReusedKey(payload, orderId, at);
    const state = await this.orders.load(orderId);
    const { plan, ...facts } = await this.acceptances.validate(payload, { orderId, state, at }, context);
    const { quote } = facts;
    const { callerAccountId } = payload;
    const fundingId = newFundingId(plan.kind, orderId, context.commandId, abandonedFunding(state));
    acceptance.fundingId = fundingId;
    const funding = await this.reserveFunds(acceptance, plan, fundingId);
    await this.externalIds.reserve(payload, { orderId, fundingId }, quote.expiresAt, context);
    const created = { createdBy: payload.callerAccountId, createdByApiKey: context.actor };
    const terms = termsOf(payload, { orderId, at, ...facts, funding, ...created });
    return { kind: 'place', terms, quoteExpiresAt: quote.expiresAt, callerAccountId };
  }

  private async reserveFunds(acceptance: Acceptance, plan: FundingPlan, fundingId: string) {
    const funding = await this.funding.reserve(plan, fundingId, acceptance.context);
    acceptance.funded = true;
    return funding;
  }

  /**
   * Releases the funds, the external id and the idempotency key. Best effort: after a failure the sweep releases the
   * funds, and the two reservations lapse two minutes after the quote expires.
   */
  private async releaseAcceptance({ orderId, payload, context, fundingId, funded }: Acceptance): Promise<void> {
    // If nothing was reserved, nothing has to be released.
    if (fundingId === null || !funded) return;
    const { accountId, sourcePaymentMethod: kind } = payload;
    try {
      const { owned } = await this.commands.execute(
        new ReleaseFundsCommand({ orderId, accountId, kind, fundingId }, context),
      );
      if (!owned) await this.externalIds.release(payload, { orderId, fundingId }, context);
    } catch (error) {
      this.logger.warn(
        { ...logged(context), err: error, orderId },
        'the funds reserved by a refused acceptance could not be released; the sweep releases them',
      );
    }
  }
}
