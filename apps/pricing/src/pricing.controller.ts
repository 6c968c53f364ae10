import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { CheckQuoteFor, ExplainQuote, GetLimits, GetPairs, GetQuote, PriceQuote, RequestQuote } from '@ponte/contracts';
import type { RequestQuotePayload } from '@ponte/contracts';
import type { Recorded, RequestContext } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, policiesOf, typesHandledBy } from '@ponte/nest';
import { RequestQuoteCommand } from './quote/request-quote.command';
import { CheckQuoteForQuery } from './quote/check-quote-for.query';
import { ExplainQuoteQuery } from './quote/explain-quote.query';
import { GetLimitsQuery } from './quote/get-limits.query';
import { GetPairsQuery } from './quote/get-pairs.query';
import { GetQuoteQuery } from './quote/get-quote.query';
import { PriceQuoteQuery } from './quote/price-quote.query';
import { PRICING_POLICIES } from './pricing.policies';

@Controller()
export class PricingMessages {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(policiesOf('pricing')) private readonly policies: Policies,
  ) {}

  @MessagePattern(RequestQuote.pattern)
  requestQuote(@Payload() payload: RequestQuotePayload, @Ctx() context: RequestContext) {
    return this.commands.execute(new RequestQuoteCommand(payload, context));
  }

  @MessagePattern(GetQuote.pattern)
  getQuote(@Payload() { quoteId }: { quoteId: string }) {
    return this.queries.execute(new GetQuoteQuery(quoteId));
  }

  @MessagePattern(ExplainQuote.pattern)
  explainQuote(@Payload() { quoteId, accountId }: { quoteId: string; accountId: string | null }) {
    return this.queries.execute(new ExplainQuoteQuery(quoteId, accountId));
  }

  @MessagePattern(PriceQuote.pattern)
  priceQuote(@Payload() payload: RequestQuotePayload, @Ctx() context: RequestContext) {
    return this.queries.execute(new PriceQuoteQuery(payload, context));
  }

  @MessagePattern(CheckQuoteFor.pattern)
  checkQuoteFor(
    @Payload() { quoteId, accountId }: { quoteId: string; accountId: string },
    @Ctx() context: RequestContext,
  ) {
    return this.queries.execute(new CheckQuoteForQuery(quoteId, accountId, context));
  }

  @MessagePattern(GetLimits.pattern)
  getLimits(@Payload() { accountId }: { accountId: string }) {
    return this.queries.execute(new GetLimitsQuery(accountId));
  }

  @MessagePattern(GetPairs.pattern)
  getPairs() {
    return this.queries.execute(new GetPairsQuery());
  }

  @Consumes('orders', 'pricing', typesHandledBy(PRICING_POLICIES))
  onOrders(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }
}
