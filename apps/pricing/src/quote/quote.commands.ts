import type { MessageBus, RequestContext, Aggregates } from '@ponte/event-sourcing';
import { commandContext } from '@ponte/event-sourcing';
import type { AccountRecord, Pair, QuoteRecord, RequestQuote, Timestamp } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { AssetId, Clock } from '@ponte/kernel';
import { refuse, fromIso, isNewId, isoTime } from '@ponte/kernel';
import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { CLOCK, MESSAGE_BUS, RequestCommand, PayloadCommand } from '@ponte/nest';
import { priceQuote } from '../price/price-quote.domain';
import type { QuoteCommand } from './quote.decider';
import { quote, recordOf } from './quote.decider';
import type { PricingRules } from '../rules/rules.domain';
import { QUOTES } from './quotes.port';
import type { QuotedPairs } from './quoted-pairs.port';
import { QUOTED_PAIRS } from './quoted-pairs.port';
import type { Rates } from '../rates/rates.port';
import { RATES } from '../rates/rates.port';
import { RULES } from '../rules/rules.port';

/**
 * The current account from onboarding. The gateway has checked that the caller has access to it, so an account that is
 * not found is still being created.
 */
export async function accountOf(bus: MessageBus, accountId: string, context: RequestContext): Promise<AccountRecord> {
  const account = await bus.request(GetAccount, { accountId }, context);
  return account ?? refuse('account-not-active', 'the account is not active');
}

export const isAmong = (pairs: readonly Pair[], source: AssetId, target: AssetId): boolean =>
  pairs.some((pair) => pair.source === source && pair.target === target);

export class RequestQuoteCommand extends RequestCommand<typeof RequestQuote> {}

@CommandHandler(RequestQuoteCommand)
export class RequestQuoteHandler implements ICommandHandler<RequestQuoteCommand> {
  constructor(
    @Inject(QUOTES) private readonly aggregates: Aggregates,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RATES) private readonly rates: Rates,
    @Inject(RULES) private readonly rules: PricingRules,
    @Inject(QUOTED_PAIRS) private readonly pairs: QuotedPairs,
  ) {}

  async execute({ payload, context }: RequestQuoteCommand): Promise<QuoteRecord> {
    const issue = async (at: string): Promise<QuoteCommand> => {
      const now = fromIso(at);
      const account = await accountOf(this.bus, payload.accountId, context);
      return {
        kind: 'issue',
        terms: priceQuote(payload, {
          rules: this.rules,
          market: this.rates.market(now),
          account,
          now,
          isOrderable: (source, target) => isAmong(this.pairs.current, source, target),
        }),
      };
    };
    const decided = commandContext(context, this.clock);
    // Without an idempotency key the gateway creates a new id, so there is no earlier stream to look for.
    const { state, replayed } = isNewId(payload.quoteId)
      ? await this.aggregates.create(quote, payload.quoteId, issue, decided)
      : await this.aggregates.createIfAbsent(quote, payload.quoteId, issue, decided);
    const record =
      state.status !== 'absent' && recordOf(state, replayed ? isoTime(this.clock.now()) : state.terms.createdAt);
    if (!record) throw new Error('an issued quote has no record');
    return record;
  }
}

/** Records in the quote's stream the acceptance that the order's stream decided. */
export class AcceptQuoteCommand extends PayloadCommand<{
  readonly quoteId: string;
  readonly orderId: string;
  readonly acceptedAt: Timestamp;
}> {}

@CommandHandler(AcceptQuoteCommand)
export class AcceptQuoteHandler implements ICommandHandler<AcceptQuoteCommand> {
  constructor(
    @Inject(QUOTES) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { quoteId, orderId, acceptedAt }, context }: AcceptQuoteCommand): Promise<void> {
    await this.aggregates.handle(
      quote,
      quoteId,
      { kind: 'record-acceptance', quoteId, orderId, acceptedAt },
      commandContext(context, this.clock),
    );
  }
}
