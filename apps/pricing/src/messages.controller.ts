import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { CheckQuoteFor, ExplainQuote, GetLimits, GetPairs, GetQuote, PriceQuote, RequestQuote } from '@ponte/contracts';
import type { RequestQuotePayload } from '@ponte/contracts';
import type { Recorded, RequestContext } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, policiesOf, typesHandledBy } from '@ponte/nest';
import { RequestQuoteCommand } from './commands/request-quote';
import { CheckQuoteForQuery } from './queries/check-quote-for';
import { ExplainQuoteQuery } from './queries/explain-quote.query';
import { GetLimitsQuery } from './queries/get-limits';
import { GetPairsQuery } from './queries/get-pairs.query';
import { GetQuoteQuery } from './queries/get-quote';
import { PriceQuoteQuery } from './queries/price-quote.query';
import { PRICING_POLICIES } from './policies/pricing.policies';

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
