import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { QuoteRecord, PriceQuote } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, MESSAGE_BUS, RequestQuery } from '@ponte/nest';
import { priceQuote } from '../price/price-quote.domain';
import { recordOf } from './quote.decider';
import type { PricingRules } from '../rules/rules.domain';
import { accountOf } from './accounts.port';
import type { QuotedPairs } from './quoted-pairs.port';
import { QUOTED_PAIRS } from './quoted-pairs.port';
import type { Rates } from '../rates/rates.port';
import { RATES } from '../rates/rates.port';
import { RULES } from '../rules/rules.port';

/** The quote that a request would get at this moment; nothing is written. Refuses as the request would be refused. */
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
    const isOrderable = (source: string, target: string) =>
      this.pairs.some((pair) => pair.source === source && pair.target === target);
    const terms = priceQuote(payload, { rules: this.rules, market: this.rates.market(now), account, now, isOrderable });
    const record = recordOf({ status: 'open', terms }, isoTime(now));
    if (!record) throw new Error('an open quote has a record');
    return record;
  }
}
