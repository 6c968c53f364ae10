import pino from 'pino';
import { instrument, Rate } from '@ponte/kernel';
import { createTimers, pause } from '@ponte/concurrency';
import { Metrics, openTracing, readTracing, timerTraces } from '@ponte/observability';
import { OtlpCollector } from '@ponte/testing';
import { parseJsonPath } from './json-path';
import { PolledRates } from './polled.rates.adapter';
import { FeedUnderTest, NOON, rated, usd } from '../testing/feed-under-test';

describe('the HTTP feed, against a server that misbehaves', () => {
  let server: FeedUnderTest;

  beforeAll(async () => {
    server = await FeedUnderTest.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    server.now = NOON;
  });

  it('is polled until the process stops, and warnings do not contain the URL or its key', async () => {
    const lines: string[] = [];
    const logger = pino(
      { level: 'debug' },
      {
        write: (line: string) => {
          lines.push(line);
        },
      },
    );
    const rates = new PolledRates({
      usdBrl: server.feed(),
      reference: server.feed({ path: parseJsonPath('reference') }),
      fixedSharePrice: Rate.parse('wBRLY', 'BRL', '1.05'),
    });
    expect(rates.market(NOON)).toMatchObject({
      usdBrl: undefined,
      reference: null,
      sharePrice: { observedAt: NOON },
    });
    server.behave = rated('5.34');
    const collector = await OtlpCollector.start();
    const metrics = new Metrics();
    const tracing = await openTracing(readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }), {
      name: 'pricing',
      environment: 'sandbox',
      metrics,
      logger: () => logger,
    });
    const timers = instrument(createTimers(logger), [timerTraces(tracing)]);
    let now = NOON;
    rates.start(timers, 10, { logger, tracing, metrics, clock: { now: () => now } });
    timers.start();
    for (let tries = 0; tries < 1000 && (!rates.market(NOON).usdBrl || lines.length === 0); tries += 1) await pause(5);
    await timers.stop();
    expect(rates.market(NOON)).toMatchObject({ usdBrl: { rate: usd('5.34'), observedAt: NOON }, reference: null });
    expect(lines.join('')).toContain('no rate at the configured path');
    expect(lines.join('')).not.toMatch(/secret|127\.0\.0\.1/);
    now = NOON + 90_000;
    const valuesOf = async (name: string) => {
      const { values } = (await metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
      return values.map(({ labels, value }) => [labels['feed'], value]);
    };
    const both = [
      ['usd-brl', 90],
      ['reference', 90],
    ];
    expect(await valuesOf('ponte_rate_age_seconds')).toEqual(both);
    expect(await valuesOf('ponte_rate_read_age_seconds')).toEqual(both);
    expect(await valuesOf('ponte_rate_unchanged_seconds')).toEqual([['usd-brl', 90]]);
    await tracing.stop();
    const spanOf = (feed: string) => collector.spans.find(({ attributes }) => attributes['ponte.rates.feed'] === feed);
    expect([spanOf('usd-brl'), spanOf('reference')]).toMatchObject([
      { name: 'GET rate', attributes: { 'http.request.method': 'GET' } },
      { attributes: { 'error.type': 'BadFeed' } },
    ]);
    expect(collector.spans.find(({ spanId }) => spanId === spanOf('usd-brl')?.parentSpanId)?.name).toBe(
      'job pricing.rates.usd-brl',
    );
    expect(collector.text).not.toMatch(/secret|127\.0\.0\.1/);
    await collector.close();
  });
});
