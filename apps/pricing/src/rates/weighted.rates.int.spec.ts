import { writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { createTimers } from '@ponte/concurrency';
import { Metrics, openTracing, readTracing } from '@ponte/observability';
import { eventually, temporaryFolder } from '@ponte/testing';
import { readPricingConfig } from '../pricing.config';
import { rateSourceOf } from './configured.rates.adapter';
import { WeightedRates } from './weighted.rates.adapter';

const folder = temporaryFolder();
const NOON = Date.UTC(2026, 4, 13, 14);

describe('rates from several sources over HTTP', () => {
  let server: Server;
  const answers = new Map<string, object>();
  const authorizations = new Set<string | undefined>();
  let now = NOON;

  beforeAll(async () => {
    server = createServer((request, response) => {
      authorizations.add(request.headers.authorization);
      const body = answers.get(request.url ?? '');
      if (!body) response.statusCode = 500;
      response.end(JSON.stringify(body ?? {}));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    folder.remove();
  });

  const environment = (more: Record<string, string> = {}) => {
    const source = (name: string, others: object = {}) => ({
      name,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`,
      path: 'bid',
      'ask-path': 'ask',
      weight: 1,
      'stale-after-seconds': 30,
      ...others,
    });
    const file = join(folder.path, 'sources.json');
    writeFileSync(
      file,
      JSON.stringify({
        'outlier-bps': 100,
        'min-sources': 2,
        sources: [
          source('a', { 'authorization-variable': 'KEY_OF_A' }),
          source('b'),
          source('c', { 'max-spread-bps': 100 }),
          source('down'),
        ],
      }),
    );
    return {
      PONTE_RATES: 'http',
      PONTE_RATES_SOURCES: file,
      PONTE_RATES_INTERVAL_MS: '10',
      KEY_OF_A: 'Bearer a',
      ...more,
    };
  };

  it('are polled and combined, with metrics for each source', async () => {
    const { rates: settings } = readPricingConfig(environment(), 'production');
    const rates = rateSourceOf(settings, { now: () => now });
    if (!(rates instanceof WeightedRates)) throw new Error('the rates are not combined from several sources');
    const logger = pino({ level: 'silent' });
    const metrics = new Metrics();
    const tracing = await openTracing(readTracing({}), {
      name: 'pricing',
      environment: 'sandbox',
      metrics,
      logger: () => logger,
    });
    const timers = createTimers(logger);
    answers
      .set('/a', { bid: '5.30', ask: '5.32' })
      .set('/b', { bid: 5.31, ask: 5.33 })
      .set('/c', { bid: '5.00', ask: '5.60' });
    rates.start(timers, 10, { logger, tracing, metrics, clock: { now: () => now } });
    timers.start();
    await eventually(async () => expect(rates.market(now).usdBrl?.readings).toHaveLength(3));
    await timers.stop();
    expect(authorizations).toContain('Bearer a');
    expect(rates.market(now).usdBrl).toMatchObject({
      source: 'median',
      observedAt: NOON,
      readings: [
        { source: 'a', spreadBps: 38, verdict: 'used' },
        { source: 'b', verdict: 'used' },
        { source: 'c', spreadBps: 1133, verdict: 'wide' },
      ],
    });
    expect(rates.market(now).usdBrl?.rate.toString()).toBe('5.3150000000');
    now += 10_000;
    const values = async (
      name: 'ponte_rate_source_age_seconds' | 'ponte_rate_source_spread_bps' | 'ponte_rate_source_deviation_bps',
    ) =>
      Object.fromEntries(
        ((await metrics.registry.getSingleMetric(name)?.get())?.values ?? []).map(({ labels, value }) => [
          labels['source'],
          value,
        ]),
      );
    const seriesOf = async (name: 'ponte_rate_source_verdict' | 'ponte_rate_sources_spare') =>
      (await metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
    const verdicts = async () => {
      const series = await seriesOf('ponte_rate_source_verdict');
      expect(series).toHaveLength(20);
      return Object.fromEntries(
        series.flatMap(({ labels, value }) => (value === 1 ? [[labels['source'], labels['verdict']]] : [])),
      );
    };
    const spare = async () => (await seriesOf('ponte_rate_sources_spare'))[0]?.value;
    expect(await values('ponte_rate_source_age_seconds')).toEqual({ a: 10, b: 10, c: 10, down: 10 });
    expect(await verdicts()).toEqual({ a: 'used', b: 'used', c: 'wide', down: 'unknown' });
    expect(await spare()).toBe(0);
    expect(await values('ponte_rate_source_spread_bps')).toEqual({ a: 38, b: 38, c: 1133 });
    expect(await values('ponte_rate_source_deviation_bps')).toMatchObject({ a: 10, b: 10, c: 29 });
    now += 30_000;
    expect(rates.market(now).usdBrl).toBeUndefined();
    expect(await verdicts()).toMatchObject({ a: 'stale', b: 'stale', down: 'unknown' });
    expect(await spare()).toBe(-2);
    await tracing.stop();
  });

  it('are refused at the start if the key of a source is missing or if two kinds of source are configured', () => {
    expect(() => readPricingConfig(environment({ KEY_OF_A: '' }), 'production')).toThrow('KEY_OF_A');
    expect(() => readPricingConfig(environment({ PONTE_RATES_URL: 'http://127.0.0.1' }), 'production')).toThrow(
      'exclude each other',
    );
    expect(() => readPricingConfig(environment({ PONTE_RATES_SOURCES: '/nowhere.json' }), 'production')).toThrow(
      'PONTE_RATES_SOURCES',
    );
  });
});
