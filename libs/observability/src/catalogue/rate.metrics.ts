import { gauge } from './metric-definition';

/** Metrics of the rates that pricing reads. */
export const RATE_METRICS = {
  ponte_rate_age_seconds: gauge(
    'Age of the current rate of a feed; for a feed without a rate, the time since it was first requested',
    'feed',
  ),
  ponte_rate_read_age_seconds: gauge(
    'Time since a feed was last read with success; for a feed that was never read, since it was first requested',
    'feed',
  ),
  ponte_rate_unchanged_seconds: gauge(
    'Time for which every successful read of a feed has given the same value, in this process',
    'feed',
  ),
  ponte_rate_market_open: gauge('1 while the USD/BRL market is open by the market rules, else 0'),
  ponte_rate_implausible: gauge(
    '1 while USD/BRL is further from the reference than unusable-deviation-bps, so that FX is not quoted, else 0',
  ),
  ponte_rate_unconfirmed: gauge(
    '1 while the reference of USD/BRL is unknown or older than reference-stale-after-seconds, else 0',
  ),
  ponte_share_price_unusable: gauge(
    '1 while the last wBRLY share price is older than share-price-unusable-after-seconds, else 0',
  ),
  ponte_rate_unchecked: gauge(
    '1 if a wrong USD/BRL rate of one source would be quoted, because nothing bounds it, else 0',
  ),
  ponte_rate_source_age_seconds: gauge('Age of the latest rate of a USD/BRL source', 'source'),
  ponte_rate_source_spread_bps: gauge('Spread between bid and ask of a USD/BRL source, in basis points', 'source'),
  ponte_rate_source_deviation_bps: gauge(
    'Deviation of a USD/BRL source from the combined rate, in basis points',
    'source',
  ),
  ponte_rate_source_verdict: gauge(
    '1 for the current verdict on a USD/BRL source (used, unknown, stale, wide or outlier), 0 for the others',
    'source',
    'verdict',
  ),
  ponte_rate_sources_spare: gauge('Usable USD/BRL sources above the required minimum; below 0 no rate is known'),
} as const;
