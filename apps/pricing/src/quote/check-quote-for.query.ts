import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { CheckQuoteFor } from '@ponte/contracts';
import type { Aggregates, MessageBus } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import { CLOCK, MESSAGE_BUS, RequestQuery } from '@ponte/nest';
import { checkQuoteFor } from './check-quote.domain';
import { quote } from './quote.decider';
import type { PricingRules } from '../rules/rules.domain';
import { accountOf } from './accounts.port';
import { QUOTES } from './quotes.port';
import { RULES } from '../rules/rules.port';

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
