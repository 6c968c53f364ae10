import { Postgres } from '@ponte/postgres';
import { instrument, Refusal, Unavailable } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import pino from 'pino';
import { openEmbeddedEngines } from '../engines/embedded-engines';
import { createLogger } from '../logging';
import {
  Metrics,
  NO_TRACING,
  openTracing,
  originOf,
  busTraces,
  portTraces,
  storeTraces,
  timerTraces,
} from '@ponte/observability';
import { collector, lines, logger, traced, counted, root, useCollector } from './collected-traces.testing';

useCollector();

describe('tracing without a collector', () => {
  it('does not wrap bus, store and ports, and logs nothing', async () => {
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

describe('tracing with a collector', () => {
  it('records the codes and types of errors in spans, never their messages', async () => {
    const tracing = await traced();
    const parent = root(tracing);
    const failing = (error: unknown) =>
      tracing
        .inSpan({ traceparent: parent.traceparent, correlationId: 'c' }, () =>
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

  it('creates no span for work without a trace, and adds the trace to log lines', async () => {
    const tracing = await traced();
    await tracing.client('alone', {}, async () => undefined);
    const parent = root(tracing);
    const origin = originOf(tracing);
    expect(origin?.()).toEqual({});
    const [, traceId, spanId] = parent.traceparent.split('-');
    expect(tracing.inSpan({ traceparent: parent.traceparent, correlationId: 'c' }, () => origin?.())).toEqual({
      'correlation-id': 'c',
      'trace-id': traceId,
      'span-id': spanId,
    });
    expect(createLogger('test', 'silent', origin).level).toBe('silent');
    parent.end();
    await tracing.stop();
    expect(collector.spans.map(({ name }) => name)).toEqual(['root']);
  });

  it('adds the trace to the log line of a retried PostgreSQL statement', async () => {
    const tracing = await traced();
    const logged: string[] = [];
    const origin = originOf(tracing);
    const speaking = pino(
      { ...(origin ? { mixin: origin } : {}) },
      { write: (line: string) => void logged.push(line) },
    );
    const postgres = await Postgres.open({
      url: 'postgres://unknown@127.0.0.1:1/none',
      schema: 'ponte_test',
      logger: speaking,
      limits: { patienceMs: 300 },
    });
    const parent = root(tracing);
    // On a slow machine the first attempt may take so long that it is the last one.
    await eventually(async () => {
      await tracing.inSpan({ traceparent: parent.traceparent, correlationId: 'c' }, () =>
        expect(postgres.query('SELECT 1')).rejects.toBeInstanceOf(Unavailable),
      );
      expect(logged.length).toBeGreaterThan(0);
    });
    for (const line of logged)
      expect(JSON.parse(line)).toMatchObject({
        'correlation-id': 'c',
        reason: 'ECONNREFUSED',
        msg: 'a statement failed; it will be retried',
      });
    await postgres.close();
    await tracing.stop();
  });

  it('keeps the sampling decision of the gateway: with a sampler that drops everything, no span is sent and the trace continues unsampled', async () => {
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

describe('a collector that does not accept spans', () => {
  it('causes dropped spans, which are counted, and one log line until it accepts spans again', async () => {
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
    expect(lines.splice(0).filter((line) => line.includes('the collector does not accept spans'))).toHaveLength(1);
    collector.mood = 'taking';
    root(tracing).end();
    await tracing.stop();
    expect(await counted(metrics, 'ponte_spans_exported_total')).toEqual({ all: 1 });
    expect(lines.splice(0).filter((line) => line.includes('accepts spans again'))).toHaveLength(1);
  });

  it('never blocks the process: excess spans are dropped at once, and stopping takes limited time', async () => {
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
