import { WhenOrderPlacedAcceptQuote } from './when-order-placed-accept-quote';

/** What the service does because of events, in the order in which it does it. */
export const PRICING_POLICIES = [WhenOrderPlacedAcceptQuote] as const;
