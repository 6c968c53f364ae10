import { WhenOrderPlacedAcceptQuote } from './quote/when-order-placed-accept-quote.policy';

/** The policies of this service. */
export const PRICING_POLICIES = [WhenOrderPlacedAcceptQuote] as const;
