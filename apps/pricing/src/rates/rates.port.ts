import type { Market } from '../market/market.domain';

export const RATES = Symbol('Rates');

/**
 * The known market data. It is returned from memory at once, so that a quote never waits for a feed. The pricing rules,
 * not this port, check how old a rate may be.
 */
export interface Rates {
  /** `now` is in epoch milliseconds of business time. */
  market(now: number): Market;
}
