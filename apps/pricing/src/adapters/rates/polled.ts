import type { Logger } from 'pino';
import type { Timers, Tracing } from '@ponte/nest';
import type { Rate } from '@ponte/kernel';
import type { Market } from '../../domain/market/market';
import type { Rates } from '../../ports/rates';
import type { HttpFeed } from './http-poller';

export interface PolledFeeds {
  readonly usdBrl: HttpFeed;
  readonly reference?: HttpFeed;
  readonly sharePrice?: HttpFeed;
  /** Used while no feed is configured for it. */
  readonly fixedSharePrice?: Rate;
}

/** To whom a feed that gives nothing is told, and in what its questions are spans. */
export interface FeedWatch {
  readonly logger: Logger;
  readonly tracing: Tracing;
}

/**
 * Rates from HTTP feeds, each asked on its own, so that a hanging one keeps nobody waiting. Every replica polls for
 * itself: what it learns stays in its own memory.
 */
export class PolledRates implements Rates {
  constructor(private readonly feeds: PolledFeeds) {}

  start(timers: Timers, intervalMs: number, { logger, tracing }: FeedWatch): void {
    const { usdBrl, reference, sharePrice } = this.feeds;
    for (const [name, feed] of Object.entries({ 'usd-brl': usdBrl, reference, 'share-price': sharePrice })) {
      if (feed) timers.every(`pricing.rates.${name}`, intervalMs, (signal) => pollOnce(name, signal, logger, () => traced(name, tracing, () => feed.poll(signal))));
    }
  }

  market(now: number): Market {
    const { usdBrl, reference, sharePrice, fixedSharePrice } = this.feeds;
    return {
      usdBrl: usdBrl.latest(),
      reference: reference?.latest()?.rate,
      sharePrice: sharePrice?.latest() ?? (fixedSharePrice && !sharePrice ? { rate: fixedSharePrice, observedAt: now } : undefined),
    };
  }
}

/** The span of one question. The address of a feed may carry a key: its name is told. */
const traced = (feed: string, tracing: Tracing, poll: () => Promise<void>): Promise<void> =>
  tracing.client('GET rate', { 'http.request.method': 'GET', 'ponte.rates.feed': feed }, poll);

/** A feed that fails is a warning and not an error: the last rate serves until it is too old. The cause may name the URL, so its code is all that is said. */
async function pollOnce(name: string, signal: AbortSignal, logger: Logger, poll: () => Promise<void>): Promise<void> {
  try {
    await poll();
  } catch (error) {
    if (!signal.aborted) logger.warn({ feed: name, reason: reasonOf(error) }, 'a rate feed gave nothing');
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'BadFeed') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
