import { WhenOrderPlacedAcceptQuote } from './quote/when-order-placed-accept-quote.policy';

/** What the service does because of events, in the order in which it does it. */
export const PRICING_POLICIES = [WhenOrderPlacedAcceptQuote] as const;
