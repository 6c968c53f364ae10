import type { Pair, PairLimits } from '@ponte/contracts';
import type { Market, Observation } from '../market/market.domain';
import type { PricingRules } from '../rules/rules.domain';
import { limitsOf } from './limits.domain';

const secondOf = (ms: number): number => Math.floor(ms / 1_000);

const textOf = (observed: Observation | null | undefined): string =>
  observed ? `${observed.rate} ${secondOf(observed.observedAt)}` : String(observed);

/**
 * Keeps the limits of quotes within one second of business time while rates and pairs are the same: their search prices
 * thousands of amounts, and each account may ask for them many times a second.
 */
export class RecentLimits {
  private known:
    { readonly of: string; readonly pairs: readonly Pair[]; readonly limits: readonly PairLimits[] } | undefined;

  constructor(private readonly rules: PricingRules) {}

  /** The limits of the pairs by this market at `now`, in epoch milliseconds of business time. */
  at(pairs: readonly Pair[], market: Market, now: number): readonly PairLimits[] {
    const { usdBrl, reference, sharePrice, shareCost } = market;
    const of = [secondOf(now), ...[usdBrl, reference, sharePrice, shareCost].map(textOf)].join(', ');
    if (this.known?.of !== of || this.known.pairs !== pairs)
      this.known = { of, pairs, limits: limitsOf(pairs, market, this.rules, now) };
    return this.known.limits;
  }
}
