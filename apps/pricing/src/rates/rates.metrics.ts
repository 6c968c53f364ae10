import type { Clock } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { isImplausible, isMarketOpen, isSharePriceUnusable, isUnconfirmed } from '../market/conditions.domain';
import type { Market } from '../market/market.domain';
import { marketAt } from '../rules/in-force.domain';
import type { MarketRule, PricingRules } from '../rules/rules.domain';
import type { Rates } from './rates.port';

interface MeasuredRates {
  readonly rates: Rates;
  readonly rules: PricingRules;
  /** Business time, at which the rules and the age of a rate are read. */
  readonly clock: Clock;
}

/** Reports how the `market` rules in force judge the current rates. Without a row in force nothing is reported. */
export function measureRates(metrics: Metrics, { rates, rules, clock }: MeasuredRates): void {
  const judged = (judge: (market: Market, rule: MarketRule, now: number) => boolean) => async () => {
    const now = clock.now();
    return [{ value: judge(rates.market(now), marketAt(rules, now), now) ? 1 : 0 }];
  };
  metrics.measure(
    'ponte_rate_implausible',
    judged((market, rule, now) => isImplausible(market.usdBrl?.rate, market, rule, now)),
  );
  metrics.measure('ponte_rate_unconfirmed', judged(isUnconfirmed));
  metrics.measure('ponte_share_price_unusable', judged(isSharePriceUnusable));
  metrics.measure(
    'ponte_rate_market_open',
    judged((_, rule, now) => isMarketOpen(rule, now)),
  );
}
