import type { Clock } from '@ponte/kernel';
import { HttpFeed } from './http.rate-source.adapter';
import { parseJsonPath } from './json-path';
import { PolledRates } from './polled.rates.adapter';
import { SeededRates } from './seeded.rates.adapter';
import type { Rates } from './rates.port';
import type { FeedSettings, HttpSettings, RatesSettings } from './rate-sources';
import { WeightedRates } from './weighted.rates.adapter';

/** The configured source of rates. Polling begins with its `start`. */
export function rateSourceOf(rates: RatesSettings, clock: Clock): Rates {
  switch (rates.kind) {
    case 'seeded':
      return new SeededRates(rates);
    case 'http': {
      const { usdBrl, reference, sharePrice, sources } = rates;
      const feed = (settings: FeedSettings, base: string) => httpFeed(settings, base, rates, clock);
      const polled = new PolledRates({
        usdBrl: usdBrl && feed(usdBrl, 'USD'),
        reference: reference && feed(reference, 'USD'),
        sharePrice: sharePrice && feed(sharePrice, 'wBRLY'),
        fixedSharePrice: rates.fixedSharePrice,
      });
      return sources
        ? new WeightedRates(
            sources.sources.map((source) => ({ ...source, feed: feed(source, 'USD') })),
            sources,
            polled,
          )
        : polled;
    }
  }
}

function httpFeed(feed: FeedSettings, base: string, { timeoutMs, plausible }: HttpSettings, clock: Clock): HttpFeed {
  return new HttpFeed({
    url: feed.url,
    headers: feed.authorization === undefined ? {} : { authorization: feed.authorization },
    path: parseJsonPath(feed.path),
    askPath: feed.askPath ? parseJsonPath(feed.askPath) : undefined,
    timePath: feed.timePath ? parseJsonPath(feed.timePath) : undefined,
    base,
    quote: 'BRL',
    plausible,
    timeoutMs,
    now: () => clock.now(),
  });
}
