import type { Timers } from '@ponte/concurrency';
import type { FeedWatch, PolledRates } from './polled.rates.adapter';
import { pollFeed } from './polled.rates.adapter';
import type { Market, SourceReading } from '../market/market.domain';
import type { Rates } from './rates.port';
import type { Combined, CombinationRules } from './combine-rates.domain';
import { combineRates, distanceBps } from './combine-rates.domain';
import type { WeightedSource } from './rate-source.port';

const MS_PER_SECOND = 1000;
const VERDICTS = ['used', 'unknown', 'stale', 'wide', 'outlier'] as const;

/**
 * USD/BRL as the weighted median of several sources. Each source is polled independently, so that one that hangs does
 * not delay the others. The reference and the share price come from `others`.
 */
export class WeightedRates implements Rates {
  constructor(
    private readonly sources: readonly WeightedSource[],
    private readonly rules: CombinationRules,
    private readonly others: PolledRates,
  ) {}

  start(timers: Timers, intervalMs: number, watch: FeedWatch): void {
    this.others.start(timers, intervalMs, watch);
    this.measure(watch);
    for (const { name, feed } of this.sources) pollFeed(`usd-brl.${name}`, feed, timers, intervalMs, watch);
  }

  market(now: number): Market {
    const { rate, observedAt, readings } = this.combined(now);
    return { ...this.others.market(now), usdBrl: rate && { rate, observedAt, source: 'median', readings } };
  }

  private combined(now: number): Combined {
    return combineRates(
      this.sources.map(({ name, feed, ...source }) => ({ ...source, source: name, last: feed.latest() })),
      this.rules,
      now,
    );
  }

  private measure({ metrics, clock }: FeedWatch): void {
    const started = clock.now();
    metrics.measure('ponte_rate_source_age_seconds', async () =>
      this.sources.map(({ name, feed }) => ({
        labels: { source: name },
        value: Math.max(0, clock.now() - (feed.latest()?.observedAt ?? started)) / MS_PER_SECOND,
      })),
    );
    metrics.measure('ponte_rate_source_spread_bps', async () =>
      this.readings(clock.now()).flatMap(({ source, spreadBps }) =>
        spreadBps === null ? [] : [{ labels: { source }, value: spreadBps }],
      ),
    );
    metrics.measure('ponte_rate_source_deviation_bps', async () => {
      const { rate, readings } = this.combined(clock.now());
      return rate
        ? readings.map(({ source, rate: own }) => ({ labels: { source }, value: distanceBps(own.scaled, rate.scaled) }))
        : [];
    });
    metrics.measure('ponte_rate_source_verdict', async () => {
      const verdicts = new Map(this.readings(clock.now()).map(({ source, verdict }) => [source, verdict]));
      return this.sources.flatMap(({ name }) => {
        const own = verdicts.get(name) ?? 'unknown';
        return VERDICTS.map((verdict) => ({ labels: { source: name, verdict }, value: verdict === own ? 1 : 0 }));
      });
    });
    metrics.measure('ponte_rate_sources_spare', async () => {
      const used = this.readings(clock.now()).filter(({ verdict }) => verdict === 'used');
      return [{ value: used.length - this.rules.minSources }];
    });
  }

  private readings(now: number): readonly SourceReading[] {
    return this.combined(now).readings;
  }
}
