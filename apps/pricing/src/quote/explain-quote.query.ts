import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ExplainedQuote, ExplainQuote } from '@ponte/contracts';
import type { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { explain } from '../price/explain.domain';
import { quote, recordOf } from './quote.decider';
import { QUOTES } from './quotes.port';

export class ExplainQuoteQuery extends RequestQuery<typeof ExplainQuote> {}

/** A quote with what it was computed from and how, read from its stream. */
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
