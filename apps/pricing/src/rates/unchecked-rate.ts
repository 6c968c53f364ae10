import type { MarketRule } from '../rules/rules.domain';
import type { RatesSettings } from './rate-sources';

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

/**
 * The feeds whose age Ponte cannot know, because their answers have no time: each poll makes the value new, even if the
 * provider or a cache repeats an old answer. One of several USD/BRL sources counts only if it may set the rate alone.
 */
export function untimedFeeds(rates: RatesSettings): string[] {
  if (rates.kind !== 'http') return [];
  const { usdBrl, sources, reference, sharePrice } = rates;
  const alone =
    sources === undefined || sources.minSources > 1
      ? []
      : sources.sources.map((source) => [`usd-brl.${source.name}`, source] as const);
  return [...alone, ...Object.entries({ 'usd-brl': usdBrl, reference, 'share-price': sharePrice })].flatMap(
    ([name, feed]) => (feed && !feed.timePath ? [name] : []),
  );
}
