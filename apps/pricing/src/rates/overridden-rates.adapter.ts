import type { Rate } from '@ponte/kernel';
import type { Market } from '../market/market.domain';
import type { Rates } from './rates.port';
import type { RateOverride } from '../sandbox/sandbox-rates.port';

/** Puts the sandbox's settings on top of a source. A rate that was set is always of this moment. */
export class OverriddenRates implements Rates, RateOverride {
  private rate: Rate | null = null;
  private offMarket: boolean | null = null;

  constructor(private readonly source: Rates) {}

  set(rate: Rate | null, offMarket: boolean | null): void {
    this.rate = rate;
    this.offMarket = offMarket;
  }

  market(now: number): Market {
    const market = this.source.market(now);
    if (this.rate === null && this.offMarket === null) return market;
    return {
      ...market,
      ...(this.rate === null ? {} : { usdBrl: { rate: this.rate, observedAt: now, source: 'sandbox' } }),
      ...(this.offMarket === null ? {} : { offMarket: this.offMarket }),
    };
  }
}
