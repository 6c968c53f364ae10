import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Payload } from '@nestjs/microservices';
import { CheckQuoteFor, ExplainQuote, GetLimits, GetPairs, GetQuote, PriceQuote, RequestQuote } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, forwardRequests, policiesOf, typesHandledBy } from '@ponte/nest';
import { PRICING_POLICIES } from './pricing.policies';
import { CheckQuoteForQuery } from './quote/check-quote-for.query';
import { ExplainQuoteQuery } from './quote/explain-quote.query';
import { GetLimitsQuery } from './quote/get-limits.query';
import { GetPairsQuery } from './quote/get-pairs.query';
import { GetQuoteQuery } from './quote/get-quote.query';
import { PriceQuoteQuery } from './quote/price-quote.query';
import { RequestQuoteCommand } from './quote/request-quote.command';

@Controller()
export class PricingMessages extends forwardRequests(
  [RequestQuote, RequestQuoteCommand],
  [GetQuote, GetQuoteQuery],
  [ExplainQuote, ExplainQuoteQuery],
  [PriceQuote, PriceQuoteQuery],
  [CheckQuoteFor, CheckQuoteForQuery],
  [GetLimits, GetLimitsQuery],
  [GetPairs, GetPairsQuery],
) {
  constructor(
    commands: CommandBus,
    queries: QueryBus,
    @Inject(policiesOf('pricing')) private readonly policies: Policies,
  ) {
    super(commands, queries);
  }

  @Consumes('orders', 'pricing', typesHandledBy(PRICING_POLICIES))
  onOrders(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }
}
