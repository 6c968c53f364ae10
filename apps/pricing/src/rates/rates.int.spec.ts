import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import pino from 'pino';
import { instrument, Rate } from '@ponte/kernel';
import { createTimers, pause } from '@ponte/concurrency';
import { Metrics, openTracing, readTracing, timerTraces } from '@ponte/observability';
import { OtlpCollector } from '@ponte/testing';
import type { HttpFeedOptions } from './http-feed.adapter';
import { HttpFeed } from './http-feed.adapter';
import { atPath, parseJsonPath } from './json-path';
import { PolledRates } from './polled-rates.adapter';
import { OverriddenRates } from './overridden-rates.adapter';
import { SeededRates } from './seeded-rates.adapter';

const usd = (text: string) => Rate.parse('USD', 'BRL', text);
const NOON = Date.UTC(2026, 4, 13, 14);

describe('the seeded generator', () => {
  const make = (seed: string) =>
    new SeededRates({ seed, base: usd('5.3412'), sharePrice: Rate.parse('wBRLY', 'BRL', '1.05') });
  const series = (rates: SeededRates) =>
    Array.from({ length: 500 }, (_, at) => rates.market(NOON + at * 1000).usdBrl?.rate.toString());

  it('gives the same rates for the same seed and time, others for another seed', () => {
    expect(series(make('a'))).toEqual(series(make('a')));
    expect(series(make('a'))).not.toEqual(series(make('b')));
    const rates = make('a');
    const first = rates.market(NOON).usdBrl;
    rates.market(NOON + 86_400_000);
    expect(rates.market(NOON + 999).usdBrl).toEqual(first);
  });

  it('moves, is never stale, and stays within 100 bps of the reference', () => {
    const rates = make('ponte');
    const base = usd('5.3412').scaled;
    const seen = new Set<string>();
    for (let at = 0; at < 100_000; at += 37) {
      const now = NOON + at * 1000 + 500;
      const { usdBrl, reference } = rates.market(now);
      if (!usdBrl) throw new Error('no rate');
      expect(now - usdBrl.observedAt).toBeLessThan(1000);
      expect(reference).toMatchObject({ rate: { scaled: base }, observedAt: Math.floor(now / 1000) * 1000 });
      expect((usdBrl.rate.scaled > base ? usdBrl.rate.scaled - base : base - usdBrl.rate.scaled) * 100n).toBeLessThan(
        base,
      );
      seen.add(usdBrl.rate.toString());
    }
    expect(seen.size).toBeGreaterThan(1000);
  });

  it('a share grows by the day and never falls', () => {
    const rates = make('ponte');
    const price = (now: number) => rates.market(now).sharePrice?.rate.scaled ?? 0n;
    expect(price(Date.UTC(2025, 0, 1))).toBe(10_500_000_000n);
    expect(price(NOON)).toBeGreaterThan(10_500_000_000n);
    expect(price(NOON + 86_400_000)).toBeGreaterThan(price(NOON));
    expect(rates.market(NOON).sharePrice?.rate.base).toBe('wBRLY');
  });

  it('the sandbox puts its own word on top and gives it back', () => {
    const source = make('ponte');
    const rates = new OverriddenRates(source);
    expect(rates.market(NOON)).toEqual(source.market(NOON));
    rates.set(usd('6'), null);
    expect(rates.market(NOON + 5)).toEqual({
      ...source.market(NOON + 5),
      usdBrl: { rate: usd('6'), observedAt: NOON + 5, source: 'sandbox' },
    });
    rates.set(null, true);
    expect(rates.market(NOON)).toEqual({ ...source.market(NOON), offMarket: true });
    rates.set(null, null);
    expect(rates.market(NOON)).toEqual(source.market(NOON));
  });
});

describe('a path into JSON', () => {
  it('walks members and indexes, its own members alone', () => {
    const document = { data: { rates: [{ bid: '5.1' }] }, USDBRL: { bid: 5 } };
    expect(atPath(document, parseJsonPath('data.rates[0].bid'))).toBe('5.1');
    expect(atPath(document, parseJsonPath('USDBRL.bid'))).toBe(5);
    expect(atPath(5.2, parseJsonPath(''))).toBe(5.2);
    for (const path of [
      'data.rates[1].bid',
      'constructor.name',
      'data.rates.length.x',
      '__proto__',
      'data.rates[0].bid.x',
    ]) {
      expect(atPath(document, parseJsonPath(path))).toBeUndefined();
    }
  });
});

describe('the HTTP feed, against a server that misbehaves', () => {
  type Behaviour = (response: ServerResponse) => void;
  let server: Server;
  let behave: Behaviour;
  let seenHeaders: Record<string, unknown> = {};
  let now = NOON;
  const agent = new Agent();
  const running = new AbortController();

  beforeAll(async () => {
    server = createServer((request, response) => {
      seenHeaders = request.headers;
      behave(response);
    });
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

  it.each([
    ['a text', '5.34129999999', '5.3412999999'],
    ['a number', 5.3412, '5.3412000000'],
    ['a number with an exponent', '0.53412e1', '5.3412000000'],
    ['an integer', 5, '5.0000000000'],
  ])('reads %s exactly, floored to ten decimals', async (_, value, expected) => {
    const source = feed({ headers: { authorization: 'Bearer k' } });
    behave = rated(value);
    await source.poll(running.signal);
    expect(source.latest()?.rate.toString()).toBe(expected);
    expect(source.latest()?.observedAt).toBe(NOON);
    expect(seenHeaders['authorization']).toBe('Bearer k');
  });

  it.each<[string, Behaviour]>([
    [
      '500',
      (response) => {
        response.statusCode = 500;
        response.end('{"data":[{"rate":"9"}]}');
      },
    ],
    [
      'a redirect',
      (response) => {
        response.writeHead(302, { location: url() });
        response.end();
      },
    ],
    ['no JSON', says('<html>')],
    ['half a JSON', says('{"data":[{"rate":"5.')],
    ['nothing', says('')],
    ['no such member', says({ data: [] })],
    ['null', rated(null)],
    ['a flag', rated(true)],
    ['words', rated('NaN')],
    ['a sign', rated('-5.34')],
    ['a comma', rated('5,34')],
    ['zero', rated('0')],
    ['an infinity', says('{"data":[{"rate":1e400}]}')],
    ['an exponent to blow up memory', rated('1e999999999')],
    ['ten times too much', rated('534.12')],
    ['far too little', rated('0.5')],
    [
      'a body without end',
      (response) => {
        const more = () => {
          while (response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ],
    [
      'a cut connection',
      (response) => {
        response.write('{');
        response.destroy();
      },
    ],
    ['no answer at all', () => undefined],
    [
      'a body that stops coming',
      (response) => {
        response.write('{"data":');
      },
    ],
  ])('%s leaves the last good value with its time', async (name, misbehaviour) => {
    const source = feed({ timeoutMs: 150 });
    behave = misbehaviour;
    await expect(source.poll(running.signal)).rejects.toThrow();
    expect(source.latest()).toBeUndefined();
    const patient = feed();
    behave = rated('5.34');
    await patient.poll(running.signal);
    now = NOON + 60_000;
    behave = misbehaviour;
    const ending = new AbortController();
    const polled = patient.poll(ending.signal);
    if (['no answer at all', 'a body that stops coming'].includes(name)) ending.abort();
    await expect(polled).rejects.toThrow();
    expect(patient.latest()).toEqual({ rate: usd('5.34'), observedAt: NOON });
  });

  it('takes the time of the rate from the answer: text, seconds or milliseconds, never later than now', async () => {
    const timed = async (time: unknown) => {
      const source = feed({ timePath: parseJsonPath('at') });
      behave = rated('5.34', time);
      await source.poll(running.signal);
      return source.latest()?.observedAt;
    };
    expect(await timed('2026-05-13T10:59:58-03:00')).toBe(NOON - 2000);
    expect(await timed(NOON / 1000 - 3)).toBe(NOON - 3000);
    expect(await timed(NOON - 4000)).toBe(NOON - 4000);
    expect(await timed('2030-01-01T00:00:00Z')).toBe(NOON);
    for (const wrong of ['yesterday', -5, null, undefined, {}]) await expect(timed(wrong)).rejects.toThrow('no time');
  });

  it('an older answer does not replace a newer one', async () => {
    const source = feed({ timePath: parseJsonPath('at') });
    behave = rated('5.34', NOON - 1000);
    await source.poll(running.signal);
    behave = rated('5.99', NOON - 2000);
    await source.poll(running.signal);
    expect(source.latest()).toEqual({ rate: usd('5.34'), observedAt: NOON - 1000 });
  });

  it('polls until the process stops, and warns without the URL and its key', async () => {
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
