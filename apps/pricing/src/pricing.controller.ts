import { Controller } from '@nestjs/common';
import { CheckQuoteFor, ExplainQuote, GetLimits, GetPairs, GetQuote, PriceQuote, RequestQuote } from '@ponte/contracts';
import { forwardRequests, policiesController } from '@ponte/nest';
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
) {}

/** Receives the events that the policies of this service handle. */
export const PricingEvents = policiesController(['orders'], 'pricing', PRICING_POLICIES);
