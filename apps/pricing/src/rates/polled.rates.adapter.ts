import type { Logger } from 'pino';
import type { Timers } from '@ponte/concurrency';
import type { Metrics, Tracing } from '@ponte/observability';
import type { Clock, Rate } from '@ponte/kernel';
import type { Market, Observation } from '../market/market.domain';
import type { RateSource } from './rate-source.port';
import type { Rates } from './rates.port';
import { FeedHistory } from './feed-history';
import type { HttpFeed } from './http.rate-source.adapter';

const MS_PER_SECOND = 1000;

interface PolledFeeds {
  /** Absent if USD/BRL is combined from several sources. */
  readonly usdBrl?: HttpFeed;
  readonly reference?: HttpFeed;
  readonly sharePrice?: HttpFeed;
  /** Used if no feed is configured for the share price. */
  readonly fixedSharePrice?: Rate;
}

/** Where the state of the feeds is reported. */
export interface FeedWatch {
  readonly logger: Logger;
  readonly tracing: Tracing;
  readonly metrics: Metrics;
  /** Business time, against which the age of a rate is measured. */
  readonly clock: Clock;
}

/**
 * Rates from HTTP feeds. Each feed is polled independently, so that one that hangs does not delay the others. Every
 * replica polls for itself and keeps the rates in its own memory.
 */
export class PolledRates implements Rates {
  constructor(private readonly feeds: PolledFeeds) {}

  start(timers: Timers, intervalMs: number, watch: FeedWatch): void {
    const { metrics, clock } = watch;
    const { usdBrl, reference, sharePrice } = this.feeds;
    const feeds = Object.entries({ 'usd-brl': usdBrl, reference, 'share-price': sharePrice });
    const startedAt = clock.now();
    metrics.measure('ponte_rate_age_seconds', async () =>
      feeds.flatMap(([name, feed]) =>
        feed
          ? [
              {
                labels: { feed: name },
                value: Math.max(0, clock.now() - (feed.latest()?.observedAt ?? startedAt)) / MS_PER_SECOND,
              },
            ]
          : [],
      ),
    );
    for (const [name, feed] of feeds) {
      if (feed) pollFeed(name, feed, timers, intervalMs, watch);
    }
  }

  market(now: number): Market {
    const { usdBrl, reference, sharePrice, fixedSharePrice } = this.feeds;
    return {
      usdBrl: named('usd-brl', usdBrl),
      ...(reference ? { reference: named('reference', reference) ?? null } : {}),
      sharePrice:
        named('share-price', sharePrice) ??
        (fixedSharePrice && !sharePrice
          ? { rate: fixedSharePrice, observedAt: now, source: 'configuration' }
          : undefined),
    };
  }
}

function named(source: string, feed: HttpFeed | undefined): Observation | undefined {
  const last = feed?.latest();
  return last && { ...last, source };
}

/** Polls one source at an interval until the process stops, with one span per poll, and reports its history. */
export function pollFeed(
  name: string,
  feed: RateSource,
  timers: Timers,
  intervalMs: number,
  { logger, tracing, metrics, clock }: FeedWatch,
): void {
  const history = new FeedHistory(clock.now());
  const labels = { feed: name };
  metrics.measure('ponte_rate_read_age_seconds', async () => [
    { labels, value: history.readAge(clock.now()) / MS_PER_SECOND },
  ]);
  metrics.measure('ponte_rate_unchanged_seconds', async () => {
    const ms = history.unchangedFor(clock.now());
    return ms === undefined ? [] : [{ labels, value: ms / MS_PER_SECOND }];
  });
  timers.every(`pricing.rates.${name}`, intervalMs, (signal) =>
    pollOnce(name, signal, logger, async () => {
      await traced(name, tracing, () => feed.poll(signal));
      history.read(feed.latest(), clock.now());
    }),
  );
}

/** Runs a poll in a span named after the feed, because the feed's address may contain a key. */
const traced = (feed: string, tracing: Tracing, poll: () => Promise<void>): Promise<void> =>
  tracing.client('GET rate', { 'http.request.method': 'GET', 'ponte.rates.feed': feed }, poll);

/**
 * Logs a failing feed as a warning and not as an error, because the last rate is used until it is too old. Only the
 * error's code is logged, because its cause may contain the URL.
 */
async function pollOnce(name: string, signal: AbortSignal, logger: Logger, poll: () => Promise<void>): Promise<void> {
  try {
    await poll();
  } catch (error) {
    if (!signal.aborted) logger.warn({ feed: name, reason: reasonOf(error) }, 'a rate feed could not be polled');
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'BadFeed') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
