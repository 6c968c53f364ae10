import type { AddressInfo } from 'node:net';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { Agent } from 'undici';
import pino from 'pino';
import { instrument, Rate } from '@ponte/kernel';
import { createTimers, pause } from '@ponte/concurrency';
import { Metrics, openTracing, readTracing, timerTraces } from '@ponte/observability';
import { OtlpCollector } from '@ponte/testing';
import type { HttpFeedOptions } from './http-feed.adapter';
import { HttpFeed } from './http-feed.adapter';
import { parseJsonPath } from './json-path';
import { PolledRates } from './polled-rates.adapter';

const usd = (text: string) => Rate.parse('USD', 'BRL', text);
const NOON = Date.UTC(2026, 4, 13, 14);

describe('the HTTP feed, against a server that misbehaves', () => {
  type Behaviour = (response: ServerResponse) => void;
  let server: Server;
  let behave: Behaviour;
  let now = NOON;
  const agent = new Agent();

  beforeAll(async () => {
    server = createServer((_request, response) => behave(response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    await agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  beforeEach(() => {
    now = NOON;
  });

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest?key=secret`;
  const feed = (more: Partial<HttpFeedOptions> = {}) =>
    new HttpFeed({
      url: url(),
      path: parseJsonPath('data[0].rate'),
      base: 'USD',
      quote: 'BRL',
      timeoutMs: 2000,
      plausible: { least: usd('1'), most: usd('100') },
      now: () => now,
      dispatcher: agent,
      ...more,
    });
  const says =
    (body: unknown): Behaviour =>
    (response) =>
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
  const rated = (value: unknown, time?: unknown) => says({ data: [{ rate: value }], at: time });

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
      usdBrl: feed(),
      reference: feed({ path: parseJsonPath('reference') }),
      fixedSharePrice: Rate.parse('wBRLY', 'BRL', '1.05'),
    });
    expect(rates.market(NOON)).toMatchObject({
      usdBrl: undefined,
      reference: null,
      sharePrice: { observedAt: NOON },
    });
    behave = rated('5.34');
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
    const { values } = (await metrics.registry.getSingleMetric('ponte_rate_age_seconds')?.get()) ?? { values: [] };
    expect(values.map(({ labels, value }) => [labels['feed'], value])).toEqual([
      ['usd-brl', 90],
      ['reference', 90],
    ]);
    await tracing.stop();
    const asked = (feed: string) => collector.spans.find(({ attributes }) => attributes['ponte.rates.feed'] === feed);
    expect([asked('usd-brl'), asked('reference')]).toMatchObject([
      { name: 'GET rate', attributes: { 'http.request.method': 'GET' } },
      { attributes: { 'error.type': 'BadFeed' } },
    ]);
    expect(collector.spans.find(({ spanId }) => spanId === asked('usd-brl')?.parentSpanId)?.name).toBe(
      'job pricing.rates.usd-brl',
    );
    expect(collector.text).not.toMatch(/secret|127\.0\.0\.1/);
    await collector.close();
  });
});
