import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { QuoteRecord, GetQuote } from '@ponte/contracts';
import type { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { quote, recordOf } from './quote.decider';
import { QUOTES } from './quotes.port';

export class GetQuoteQuery extends RequestQuery<typeof GetQuote> {}

/**
 * Read from the stream and not from a read model: an acceptance depends on its terms, and quotes are never listed. The
 * acceptance is shown as far as this process knows it.
 */
@QueryHandler(GetQuoteQuery)
export class GetQuoteHandler implements IQueryHandler<GetQuoteQuery> {
  constructor(
    @Inject(QUOTES) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { quoteId } }: GetQuoteQuery): Promise<QuoteRecord | null> {
    // What was issued stays as it is.
    const { state } = await this.aggregates.load(quote, quoteId, (held) => held.state.status !== 'absent');
    return recordOf(state, isoTime(this.clock.now()));
  }
}
