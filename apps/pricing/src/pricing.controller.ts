import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Payload } from '@nestjs/microservices';
import { CheckQuoteFor, ExplainQuote, GetLimits, GetPairs, GetQuote, PriceQuote, RequestQuote } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, forwardRequests, policiesOf, typesHandledBy } from '@ponte/nest';
import { PRICING_POLICIES } from './pricing.policies';
import { CheckQuoteForQuery, ExplainQuoteQuery, GetQuoteQuery, PriceQuoteQuery } from './quote/quote.queries';
import { GetLimitsQuery, GetPairsQuery } from './quote/pairs.queries';
import { RequestQuoteCommand } from './quote/quote.commands';

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

  @Consumes(['orders'], 'pricing', typesHandledBy(PRICING_POLICIES))
  onEvent(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }
}
