import type { MarketRule } from '../rules/rules.domain';
import type { RatesSettings } from '../pricing.config';

/**
 * Whether a wrong rate of one source would be quoted: it is compared neither with a second source nor, within a bound,
 * with a reference. A reference without a bound only marks the quotes as off-market.
 */
export function isUnchecked(rates: RatesSettings, { unusableDeviationBps }: MarketRule): boolean {
  if (rates.kind !== 'http') return false;
  const { sources, reference } = rates;
  if (sources !== undefined && sources.minSources > 1) return false;
  return reference === undefined || unusableDeviationBps === null;
}
