import { AsyncLocalStorage } from 'node:async_hooks';
import { Postgres } from '@ponte/postgres';
import { command } from '@ponte/event-sourcing';
import { instrument, Refusal, Unavailable } from '@ponte/kernel';
import { eventually, OtlpCollector, temporaryFolder } from '@ponte/testing';
import type { Logger } from 'pino';
import pino from 'pino';
import { openBlobs, readBlobsConfig } from './blobs';
import { openEmbeddedEngines } from './engines/embedded-engines';
import type { Engines } from './engines/engines';
import { createLogger } from './logging';
import {
  Metrics,
  NO_TRACING,
  openTracing,
  originOf,
  parseTraceparent,
  readTracing,
  busTraces,
  portTraces,
  storeTraces,
  timerTraces,
} from '@ponte/observability';
import { readRuntime } from './process/runtime';
import type { Tracing } from '@ponte/observability';

const ENV = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };

let collector: OtlpCollector;
beforeEach(async () => {
  collector = await OtlpCollector.start();
});
afterEach(() => collector.close());

const lines: string[] = [];
const logger: Logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });

async function traced(metrics = new Metrics(), env: Record<string, string> = {}): Promise<Tracing> {
  return openTracing(readTracing({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }), {
    name: 'test',
    environment: 'sandbox',
    metrics,
    logger: () => logger,
  });
}

async function counted(metrics: Metrics, name: string): Promise<Record<string, number>> {
  const { values } = (await metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels['reason'] ?? 'all'), value]));
}

const root = (tracing: Tracing) => tracing.begin({ name: 'root', kind: 'server', parent: undefined });

describe('the settings', () => {
  it('without an endpoint nothing is traced; with one, the names of OpenTelemetry are heeded', () => {
    expect(readTracing({ OTEL_SERVICE_NAME: 'x' })).toBeNull();
    expect(readRuntime({}).tracing).toBeNull();
    expect(
      readTracing({
        ...ENV,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc==, x=1',
        OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=a',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      }),
    ).toEqual({
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: { authorization: 'Basic abc==', x: '1' },
      serviceName: null,
      resource: { 'k8s.pod.name': 'a' },
      sampler: 'traceidratio',
      ratio: 0.25,
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'tempo:4317' }],
    ['OTEL_TRACES_SAMPLER', { ...ENV, OTEL_TRACES_SAMPLER: 'some' }],
    ['OTEL_TRACES_SAMPLER_ARG', { ...ENV, OTEL_TRACES_SAMPLER_ARG: '2' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { ...ENV, OTEL_EXPORTER_OTLP_HEADERS: 'secret' }],
    ['OTEL_RESOURCE_ATTRIBUTES', { ...ENV, OTEL_RESOURCE_ATTRIBUTES: 'a=%zz' }],
  ])('a mistake in %s names the variable and quotes nothing', (name, env) => {
    expect(() => readTracing(env)).toThrow(name);
    expect(() => readTracing(env)).not.toThrow(/secret|zz/);
  });
});

describe('without a collector', () => {
  it('nothing is put around bus, store and ports, and nothing is said in the log', async () => {
    const tracing = await openTracing(null, {
      name: 'test',
      environment: 'sandbox',
      metrics: new Metrics(),
      logger: () => logger,
    });
    const folder = temporaryFolder();
    const engines = await openEmbeddedEngines(
      {
        environment: 'sandbox',
        dataDirectory: folder.path,
        port: 0,
        logLevel: 'silent',
        embeddedByName: true,
        failpoint: null,
      },
      'test',
    );
    expect(tracing).toBe(NO_TRACING);
    expect(engines.tracing).toBe(NO_TRACING);
    expect([
      instrument(engines.bus, [busTraces(tracing)]) === engines.bus,
      instrument(engines.store, [storeTraces(tracing)]) === engines.store,
      instrument(engines.timers, [timerTraces(tracing)]) === engines.timers,
    ]).toEqual([true, true, true]);
    const port = { call: async () => 1 };
    expect(instrument(port, [portTraces('port', ['call'], {}, tracing)])).toBe(port);
    expect(originOf(tracing)).toBeUndefined();
    await engines.close();
    folder.remove();
  });
});

describe('traceparent', () => {
  const good = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it('is read as W3C Trace Context says, and of a later version only what version 00 has', () => {
    expect(parseTraceparent(good, true)).toEqual({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: 1,
      isRemote: true,
    });
    expect(parseTraceparent(good.replace(/^00/, '01').concat('-more'))).toMatchObject({ traceFlags: 1 });
    expect(parseTraceparent(good.replace(/01$/, 'fe'))).toMatchObject({ traceFlags: 0 });
  });

  it.each([
    undefined,
    '',
    ' ',
    'x',
    good.toUpperCase(),
    `${good}-more`,
    good.slice(1),
    good.replace(/^00/, 'ff'),
    good.replace(/-b7.*-/, '-0000000000000000-'),
    `${good}\n`,
    good.replace('-', '_'),
  ])('is nothing when it is out of order: %j', (text) => {
    expect(parseTraceparent(text)).toBeUndefined();
  });
});

describe('with a collector', () => {
  it('a span keeps codes and kinds of errors, never their words', async () => {
    const tracing = await traced();
    const parent = root(tracing);
    const failing = (error: unknown) =>
      tracing
        .within({ traceparent: parent.traceparent, correlationId: 'c' }, () =>
          tracing.client('call', {}, async () => {
            throw error;
          }),
        )
        .catch(() => undefined);
    await failing(new Refusal([{ code: 'quote-expired', path: '', message: 'Maria has it' }]));
    await failing(new Unavailable('service-unavailable'));
    await failing(new TypeError('Maria broke it'));
    parent.end();
    await tracing.stop();
    expect(collector.spans.map(({ attributes }) => attributes)).toEqual([
      { 'ponte.refusal': 'quote-expired' },
      { 'error.type': 'service-unavailable' },
      { 'error.type': 'TypeError' },
      {},
    ]);
    expect(collector.text).not.toContain('Maria');
  });

  it('work of no trace makes no span; a line of the log says where the work stands', async () => {
    const tracing = await traced();
    await tracing.client('alone', {}, async () => undefined);
    const parent = root(tracing);
    const origin = originOf(tracing);
    expect(origin?.()).toEqual({});
    const [, traceId, spanId] = parent.traceparent.split('-');
    expect(tracing.within({ traceparent: parent.traceparent, correlationId: 'c' }, () => origin?.())).toEqual({
      'correlation-id': 'c',
      'trace-id': traceId,
      'span-id': spanId,
    });
    expect(createLogger('test', 'silent', origin).level).toBe('silent');
    parent.end();
    await tracing.stop();
    expect(collector.spans.map(({ name }) => name)).toEqual(['root']);
  });

  it('a statement to PostgreSQL that is tried again says for whom', async () => {
    const tracing = await traced();
    const said: string[] = [];
    const origin = originOf(tracing);
    const speaking = pino({ ...(origin ? { mixin: origin } : {}) }, { write: (line: string) => void said.push(line) });
    const postgres = await Postgres.open({
      url: 'postgres://unknown@127.0.0.1:1/none',
      schema: 'ponte_test',
      logger: speaking,
      limits: { patienceMs: 300 },
    });
    const parent = root(tracing);
    await tracing.within({ traceparent: parent.traceparent, correlationId: 'c' }, () =>
      expect(postgres.query('SELECT 1')).rejects.toBeInstanceOf(Unavailable),
    );
    expect(said.length).toBeGreaterThan(0);
    for (const line of said)
      expect(JSON.parse(line)).toMatchObject({
        'correlation-id': 'c',
        reason: 'ECONNREFUSED',
        msg: 'a statement is tried again',
      });
    await postgres.close();
    await tracing.stop();
  });

  it('what the edge decided holds: with a sampler that keeps nothing, nothing comes, and the trace goes on unkept', async () => {
    const tracing = await traced(new Metrics(), { OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
    const foreign = tracing.begin({
      name: 'root',
      kind: 'server',
      parent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      foreign: true,
    });
    expect(foreign.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/);
    foreign.end();
    await tracing.stop();
    expect(collector.posts).toBe(0);
  });
});

describe('a collector that does not take what it is sent', () => {
  it('costs spans, which are counted, and one line of the log until it takes them again', async () => {
    const metrics = new Metrics();
    const tracing = await traced(metrics);
    collector.mood = 'refusing';
    root(tracing).end();
    await eventually(async () =>
      expect(await counted(metrics, 'ponte_spans_dropped_total')).toEqual({ 'queue-full': 0, 'not-taken': 1 }),
    );
    root(tracing).end();
    await eventually(async () =>
      expect(await counted(metrics, 'ponte_spans_dropped_total')).toMatchObject({ 'not-taken': 2 }),
    );
    expect(lines.splice(0).filter((line) => line.includes('the collector takes no spans'))).toHaveLength(1);
    collector.mood = 'taking';
    root(tracing).end();
    await tracing.stop();
    expect(await counted(metrics, 'ponte_spans_exported_total')).toEqual({ all: 1 });
    expect(lines.splice(0).filter((line) => line.includes('takes spans again'))).toHaveLength(1);
  });

  it('is never waited for: what is too much is dropped at once, and the end comes in its time', async () => {
    const metrics = new Metrics();
    const tracing = await traced(metrics);
    collector.mood = 'silent';
    for (let count = 0; count < 10_000; count += 1) root(tracing).end();
    const { 'queue-full': crowdedOut = 0 } = await counted(metrics, 'ponte_spans_dropped_total');
    expect(crowdedOut).toBe(10_000 - 4_096);
    await tracing.stop();
    expect(collector.spans).toEqual([]);
  });
});

describe('work that no one asked for', () => {
  const [first, second] = ['0b7c2f9e-0000-8000-8000-000000000011', '0b7c2f9e-0000-8000-8000-000000000012'] as const;

  it('a run of a timer is a trace of its own once it does something, and none when it does not', async () => {
    const tracing = await traced();
    let later: <T>(work: () => T) => T = (work) => work();
    await tracing.unasked('job idle', async () => undefined);
    await tracing.unasked('job poll', async () => {
      later = AsyncLocalStorage.snapshot();
      await tracing.client('GET rate', { 'ponte.rates.feed': 'usd-brl' }, async () => undefined);
    });
    await expect(
      tracing.unasked('job sweep', async () => {
        await tracing.client('blobs list', {}, async () => undefined);
        throw new Unavailable('service-unavailable');
      }),
    ).rejects.toThrow();
    expect(later(() => tracing.place())).toBeUndefined();
    await tracing.stop();
    expect(collector.spans.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['GET rate', { 'ponte.rates.feed': 'usd-brl' }],
      ['job poll', {}],
      ['blobs list', {}],
      ['job sweep', { 'error.type': 'service-unavailable' }],
    ]);
    const [call, poll, , sweep] = collector.spans;
    expect([call?.parentSpanId, call?.traceId]).toEqual([poll?.spanId, poll?.traceId]);
    expect([poll?.parentSpanId || undefined, sweep?.traceId === poll?.traceId]).toEqual([undefined, false]);
  });

  it('a request of a timer carries no trace, so that an order continues its own', async () => {
    const folder = temporaryFolder();
    const engines = await openEmbeddedEngines(
      {
        environment: 'sandbox',
        dataDirectory: folder.path,
        port: 0,
        logLevel: 'silent',
        embeddedByName: true,
        failpoint: null,
        tracing: readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }),
      },
      'test',
    );
    const carryOn = command<object, string>('test', 'advance', () => undefined);
    const heard = new Promise<string | undefined>((resolve) => {
      engines.bus.handle(carryOn.pattern, async (_payload, { traceparent }) => {
        resolve(traceparent);
        return 'done';
      });
    });
    const own = root(engines.tracing);
    const meta = { index: 0, count: 1, occurredAt: '2026-01-02T03:04:05.678Z', correlationId: 'c' };
    const bucket = {
      'bucket-url': 'http://127.0.0.1:1/files-of-people',
      region: 'sa-east-1',
      'access-key-id': 'AKID',
      'secret-access-key': 'TOPSECRET',
    };
    const blobs = await openBlobs(readBlobsConfig({ BLOBS_S3: JSON.stringify(bucket) }), {
      ...engines,
      dataDirectory: folder.path,
    });
    engines.timers.every('test-sweep', 60_000, async () => {
      await expect(blobs.list({ beforeMs: 0, cursor: null })).rejects.toBeInstanceOf(Unavailable);
      await engines.store.append('order-1', -1, [
        {
          id: first,
          type: 'Tested',
          version: 1,
          data: {},
          meta: { ...meta, commandId: first, traceparent: own.traceparent },
        },
      ]);
      await engines.store.append('deposit-1', -1, [
        { id: second, type: 'Tested', version: 1, data: {}, meta: { ...meta, commandId: second } },
      ]);
      await engines.bus.request(carryOn, {}, { commandId: 'a', correlationId: 'own' });
    });
    engines.timers.start();
    expect(await heard).toBeUndefined();
    await engines.timers.stop();
    await engines.close();
    folder.remove();
    const named = (name: string) => collector.spans.find((span) => span.name === name);
    const job = named('job test-sweep');
    expect(named('append order')?.parentSpanId).toBe(own.traceparent.split('-')[2]);
    expect(
      ['append deposit', 'ask test.command.advance', 'blobs list'].map((name) => named(name)?.parentSpanId),
    ).toEqual([job?.spanId, job?.spanId, job?.spanId]);
    expect(named('blobs list')?.attributes).toEqual({
      'rpc.system.name': 'aws-api',
      'rpc.service': 'S3',
      'rpc.method': 'list',
      'error.type': 'service-unavailable',
    });
    expect(collector.text).not.toMatch(/files-of-people|TOPSECRET|AKID/);
  });
});

describe('bus and store', () => {
  let engines: Engines;
  const folder = temporaryFolder();
  beforeEach(async () => {
    engines = await openEmbeddedEngines(
      {
        environment: 'sandbox',
        dataDirectory: folder.path,
        port: 0,
        logLevel: 'silent',
        embeddedByName: true,
        failpoint: null,
        tracing: readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }),
      },
      'test',
    );
  });
  afterEach(() => engines.close());
  afterAll(() => folder.remove());

  it('what no one asked for has no span; what someone did has one on each side', async () => {
    const fine = command<object, string>('test', 'fine', () => undefined);
    const seen: (string | undefined)[] = [];
    engines.bus.handle(fine.pattern, async (_payload, { traceparent }) => {
      seen.push(traceparent);
      return 'done';
    });
    await engines.bus.request(fine, {}, { commandId: 'a', correlationId: 'own' });
    const parent = root(engines.tracing);
    await engines.bus.request(fine, {}, { commandId: 'b', correlationId: 'asked', traceparent: parent.traceparent });
    await engines.tracing.within({ traceparent: parent.traceparent }, () =>
      engines.bus.request(fine, {}, { commandId: 'c', correlationId: 'asked' }),
    );
    parent.end();
    expect(seen).toEqual([undefined, expect.stringMatching(/^00-/), expect.stringMatching(/^00-/)]);
    await engines.tracing.stop();
    expect(collector.spans.map(({ name }) => name)).toEqual([
      'test.command.fine',
      'ask test.command.fine',
      'test.command.fine',
      'ask test.command.fine',
      'root',
    ]);
  });

  it('an append of several traces belongs to the first, and is linked with the others', async () => {
    const [one, other] = [root(engines.tracing), root(engines.tracing)];
    const event = (id: string, traceparent: string) => ({
      id,
      type: 'Tested',
      version: 1,
      data: {},
      meta: {
        commandId: id,
        index: 0,
        count: 1,
        occurredAt: '2026-01-02T03:04:05.678Z',
        correlationId: id,
        traceparent,
      },
    });
    await engines.store.append('outbox-1', -1, [
      event('0b7c2f9e-0000-8000-8000-000000000001', one.traceparent),
      event('0b7c2f9e-0000-8000-8000-000000000002', other.traceparent),
    ]);
    expect((await engines.store.read('outbox-1')).map(({ meta }) => meta.traceparent)).toEqual([
      one.traceparent,
      other.traceparent,
    ]);
    await engines.tracing.stop();
    const [append] = collector.spans;
    expect(append).toMatchObject({
      name: 'append outbox',
      parentSpanId: one.traceparent.split('-')[2],
      links: [expect.objectContaining({ spanId: other.traceparent.split('-')[2] })],
    });
    expect(append?.attributes).not.toHaveProperty('ponte.stream');
  });
});
