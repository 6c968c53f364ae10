import type { Market } from '../market/market.domain';

export const RATES = Symbol('Rates');

/**
 * What is known of the market. It answers at once from memory, whatever its sources do: a quote never waits for a feed,
 * and how old a rate may be is checked by the rules of pricing, not here.
 */
export interface Rates {
  /** `now`: epoch milliseconds of business time. */
  market(now: number): Market;
}
