import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { QuoteRecord, GetQuote, ExplainedQuote, ExplainQuote, PriceQuote, CheckQuoteFor } from '@ponte/contracts';
import type { Aggregates, MessageBus } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime, refuse } from '@ponte/kernel';
import { CLOCK, RequestQuery, MESSAGE_BUS } from '@ponte/nest';
import { quote, recordOf } from './quote.decider';
import { QUOTES } from './quotes.port';
import { explain } from '../price/explain.domain';
import { priceQuote } from '../price/price-quote.domain';
import type { PricingRules } from '../rules/rules.domain';
import { accountOf, isAmong } from './quote.commands';
import type { QuotedPairs } from './quoted-pairs.port';
import { QUOTED_PAIRS } from './quoted-pairs.port';
import type { Rates } from '../rates/rates.port';
import { RATES } from '../rates/rates.port';
import { RULES } from '../rules/rules.port';
import { checkQuoteFor } from './check-quote.domain';

export class GetQuoteQuery extends RequestQuery<typeof GetQuote> {}

/**
 * Reads the quote from its stream and not from a read model, because an acceptance depends on its terms and quotes are
 * never listed. The acceptance is included if this process knows of it.
 */
@QueryHandler(GetQuoteQuery)
export class GetQuoteHandler implements IQueryHandler<GetQuoteQuery> {
  constructor(
    @Inject(QUOTES) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { quoteId } }: GetQuoteQuery): Promise<QuoteRecord | null> {
    // The terms of an issued quote never change, so a cached state is enough.
    const { state } = await this.aggregates.load(quote, quoteId, (held) => held.state.status !== 'absent');
    return recordOf(state, isoTime(this.clock.now()));
  }
}

export class ExplainQuoteQuery extends RequestQuery<typeof ExplainQuote> {}

/** A quote with its inputs and the steps of its computation, read from its stream. */
@QueryHandler(ExplainQuoteQuery)
export class ExplainQuoteHandler implements IQueryHandler<ExplainQuoteQuery> {
  constructor(
    @Inject(QUOTES) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { quoteId, accountId } }: ExplainQuoteQuery): Promise<ExplainedQuote | null> {
    const { state } = await this.aggregates.load(quote, quoteId);
    const record = recordOf(state, isoTime(this.clock.now()));
    if (state.status === 'absent' || record === null || (accountId !== null && accountId !== record.accountId))
      return null;
    return { quote: record, inputs: state.terms.inputs, steps: explain(state.terms) };
  }
}

/** The quote that a request would get now. Writes nothing. Refuses as the request would be refused. */
export class PriceQuoteQuery extends RequestQuery<typeof PriceQuote> {}

@QueryHandler(PriceQuoteQuery)
export class PriceQuoteHandler implements IQueryHandler<PriceQuoteQuery> {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RATES) private readonly rates: Rates,
    @Inject(RULES) private readonly rules: PricingRules,
    @Inject(QUOTED_PAIRS) private readonly pairs: QuotedPairs,
  ) {}

  async execute({ payload, context }: PriceQuoteQuery): Promise<QuoteRecord> {
    const account = await accountOf(this.bus, payload.accountId, context);
    const now = this.clock.now();
    const terms = priceQuote(payload, {
      rules: this.rules,
      market: this.rates.market(now),
      account,
      now,
      isOrderable: (source, target) => isAmong(this.pairs.current, source, target),
    });
    const record = recordOf({ status: 'open', terms }, isoTime(now));
    if (!record) throw new Error('an open quote has no record');
    return record;
  }
}

export class CheckQuoteForQuery extends RequestQuery<typeof CheckQuoteFor> {}

@QueryHandler(CheckQuoteForQuery)
export class CheckQuoteForHandler implements IQueryHandler<CheckQuoteForQuery> {
  constructor(
    @Inject(QUOTES) private readonly aggregates: Aggregates,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RULES) private readonly rules: PricingRules,
  ) {}

  async execute({ payload: { quoteId, accountId }, context }: CheckQuoteForQuery): Promise<{ ok: true }> {
    const { state } = await this.aggregates.load(quote, quoteId);
    if (state.status === 'absent') return refuse('quote-not-found', 'there is no such quote', 'quote-id');
    const account = await accountOf(this.bus, accountId, context);
    checkQuoteFor(state.terms, account, this.rules, this.clock.now());
    return { ok: true };
  }
}
