import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { EventToAppend, Lease, LeaseGrant } from '@ponte/event-sourcing';
import { command, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { instrument, Refusal, Unavailable } from '@ponte/kernel';
import type { StoreFault } from '@ponte/eventstore-eventstoredb';
import { runProjector } from '@ponte/read-models';
import { reportLogFaults } from './engines/log-faults';
import type { Engines } from './engines/engines';
import { openEmbeddedEngines } from './engines/embedded-engines';
import { readRuntime } from './process/runtime';
import {
  CATALOGUE,
  KafkaCounts,
  relayCounts,
  startManagement,
  Metrics,
  observability,
  Readiness,
  leaseMetrics,
} from '@ponte/observability';
import type { Management, ManagementDocument } from '@ponte/observability';

const PATIENCE_MS = 5_000;
/**
 * By prometheus.yaml, the ServiceMonitor and Prometheus itself: what a process says under such a name becomes
 * `exported_…`.
 */
const GIVEN_BY_THE_SCRAPE = ['job', 'instance', 'service', 'namespace', 'pod', 'container', 'endpoint'];

/** The value of a series, by its name and labels as Prometheus writes them; undefined when it is absent. */
async function value(metrics: Metrics, series: string): Promise<number | undefined> {
  const line = (await metrics.registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

async function until(what: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await what());) {
    if (Date.now() > end) throw new Error('it did not come to pass');
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

describe('the metrics of a process', () => {
  test('names say what they are of and carry their unit; labels never hold an id', () => {
    for (const [name, { kind, labels }] of Object.entries(CATALOGUE)) {
      expect(name).toMatch(/^ponte_[a-z]+(_[a-z]+)*$/);
      expect(name.endsWith('_total')).toBe(kind === 'counter');
      expect(labels.filter((label) => /id|account|key|stream/.test(label))).toEqual([]);
      expect([name, labels.filter((label) => GIVEN_BY_THE_SCRAPE.includes(label))]).toEqual([name, []]);
    }
  });

  test('a counter that nothing happened to is there at zero, so that its first event is an increase', async () => {
    const metrics = new Metrics();
    metrics.counter('ponte_dead_letters_total', { group: 'orders' });
    expect(await value(metrics, 'ponte_dead_letters_total{group="orders"}')).toBe(0);
  });

  test('a reading shows what it answers now alone; one that fails is absent and counted, and spoils no other', async () => {
    const metrics = new Metrics();
    let readings = [
      { labels: { asset: 'brl' }, value: 3 },
      { labels: { asset: 'usdc' }, value: 0 },
    ];
    metrics.measure('ponte_ledger_sum_minor_units', async () => readings);
    metrics.measure('ponte_webhook_oldest_due_seconds', () => Promise.reject(new Error('the database is away')));
    metrics.set('ponte_holds_without_order', 2);
    expect(await value(metrics, 'ponte_ledger_sum_minor_units{asset="brl"}')).toBe(3);
    readings = readings.slice(1);
    expect(await value(metrics, 'ponte_ledger_sum_minor_units{asset="brl"}')).toBeUndefined();
    expect(await value(metrics, 'ponte_ledger_sum_minor_units{asset="usdc"}')).toBe(0);
    expect(await value(metrics, 'ponte_webhook_oldest_due_seconds')).toBeUndefined();
    expect(
      await value(metrics, 'ponte_metric_failures_total{metric="ponte_webhook_oldest_due_seconds"}'),
    ).toBeGreaterThan(0);
    expect(await value(metrics, 'ponte_holds_without_order')).toBe(2);
  });

  test('Kafka: a partition that went to another process is no lag of this one, and reply topics make no series', async () => {
    const metrics = new Metrics();
    const counts = new KafkaCounts(metrics);
    counts.assigned('ponte.orders', { 'ledger.events': [0, 1], 'pricing.events': [2] });
    counts.lag('ledger.events', 0, 5);
    counts.lag('ledger.events', 1, 7);
    counts.lag('replies.orders.pod-1', 0, 9);
    counts.assigned('ponte.replies.orders.pod-1', { 'replies.orders.pod-1': [0] });
    expect(await value(metrics, 'ponte_consumer_lag_messages{topic="ledger.events"}')).toBe(12);
    counts.assigned('ponte.orders', { 'ledger.events': [1] });
    expect(await value(metrics, 'ponte_consumer_lag_messages{topic="ledger.events"}')).toBe(7);
    expect(await value(metrics, 'ponte_consumer_lag_messages{topic="pricing.events"}')).toBeUndefined();
    expect(await metrics.registry.metrics()).not.toContain('pod-1');
    // One of these is an alert: the series is there before, or Prometheus sees no increase.
    const silent = [
      'ponte_event_gaps_total{source="ledger"}',
      'ponte_undecodable_messages_total{topic="ledger.events"}',
      'ponte_consumer_restarts_total{group="ponte.orders"}',
    ];
    expect(await Promise.all(silent.map((series) => value(metrics, series)))).toEqual([0, 0, 0]);
    counts.gap('ledger');
    counts.undecodable('ledger.events');
    expect(await Promise.all(silent.map((series) => value(metrics, series)))).toEqual([1, 1, 0]);
  });

  test('the lag of a relay is reported by the process that relays, and is 0 in one that did before', async () => {
    const metrics = new Metrics();
    let holds = true;
    const relayed = relayCounts(
      metrics,
      () => Date.parse('2026-01-01T00:00:10.000Z'),
      () => holds,
    );
    relayed.relayed?.({ events: 3, position: '3', caughtUp: false, occurredAt: '2026-01-01T00:00:04.000Z' });
    expect(await value(metrics, 'ponte_relay_lag_seconds')).toBe(6);
    holds = false;
    expect(await value(metrics, 'ponte_relay_lag_seconds')).toBe(0);
    expect(await value(metrics, 'ponte_relay_events_total')).toBe(3);
  });

  test('a lease that a process waits for shows as 0, one that it holds as 1, and one that it has nothing to do with not at all', async () => {
    const metrics = new Metrics();
    const lost = new AbortController();
    const asking: ((grant: LeaseGrant | undefined) => void)[] = [];
    const lease = instrument<Lease>(
      {
        acquire: () =>
          new Promise((resolve) => {
            asking.push(resolve);
          }),
      },
      [leaseMetrics(metrics)],
    );
    const held = () => value(metrics, 'ponte_lease_held{lease="relay-orders"}');
    const signal = new AbortController().signal;
    const [first, second] = [lease.acquire('relay-orders', signal), lease.acquire('relay-orders', signal)];
    expect(await held()).toBe(0);
    asking[0]?.({ fence: 1, lost: lost.signal, release: async () => undefined });
    await first;
    expect(await held()).toBe(1);
    lost.abort();
    expect([await held(), await value(metrics, 'ponte_lease_losses_total{lease="relay-orders"}')]).toEqual([0, 1]);
    asking[1]?.(undefined);
    expect([await second, await held()]).toEqual([undefined, undefined]);
  });
});

describe('the engines, watched', () => {
  let folder: string;
  let engines: Engines;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ponte-watched-'));
    engines = await openEmbeddedEngines(readRuntime({ PONTE_DATA_DIR: folder }), 'test', {
      logger: pino({ level: 'silent' }),
    });
  });
  afterAll(async () => {
    await engines.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const event = (stream: string, index = 0): EventToAppend => ({
    id: `${stream} ${index}`,
    type: 'Happened',
    version: 1,
    data: {},
    meta: {
      commandId: stream,
      correlationId: stream,
      index,
      count: 1,
      occurredAt: new Date(Date.now() - 60_000).toISOString(),
    },
  });

  test('appends are timed by outcome, and a conflict is counted under the category of its stream', async () => {
    await engines.store.append('order-1', NO_STREAM, [event('order-1')]);
    await expect(engines.store.append('order-1', 7, [event('order-1', 1)])).rejects.toBeInstanceOf(
      WrongExpectedRevision,
    );
    expect(await value(engines.metrics, 'ponte_append_seconds_count{outcome="kept"}')).toBe(1);
    expect(await value(engines.metrics, 'ponte_append_seconds_count{outcome="conflict"}')).toBe(1);
    expect(await value(engines.metrics, 'ponte_append_conflicts_total{category="order"}')).toBe(1);
    expect(await value(engines.metrics, 'ponte_append_events_sum')).toBe(2);
  });

  test('requests are timed by pattern and outcome where they are carried out', async () => {
    const [fine, refused, broken] = ['fine', 'refused', 'broken'].map((name) =>
      command<object, string>('test', name, () => undefined),
    );
    if (!fine || !refused || !broken) throw new Error('three definitions');
    engines.bus.handle(fine.pattern, async () => 'done');
    engines.bus.handle(refused.pattern, async () => {
      throw new Refusal([{ code: 'quote-expired', path: '', message: 'expired' }]);
    });
    engines.bus.handle(broken.pattern, async () => {
      throw new TypeError('a bug');
    });
    const context = { commandId: 'c', correlationId: 'c' };
    await expect(engines.bus.request(fine, {}, context)).resolves.toBe('done');
    await expect(engines.bus.request(refused, {}, context)).rejects.toBeInstanceOf(Refusal);
    await expect(engines.bus.request(broken, {}, context)).rejects.toBeInstanceOf(Unavailable);
    const count = (name: string, outcome: string) =>
      value(engines.metrics, `ponte_message_seconds_count{pattern="test.command.${name}",outcome="${outcome}"}`);
    expect(await count('fine', 'done')).toBe(1);
    expect(await count('refused', 'refused')).toBe(1);
    expect(await count('broken', 'failed')).toBe(1);
    expect(await value(engines.metrics, 'ponte_unanswered_calls_total{pattern="test.command.broken"}')).toBe(1);
  });

  test('a projector that cannot pass an event lags by the age of that event and by what lies behind it, until it passes; its lease shows', async () => {
    let failing = true;
    const { store, checkpoints, lease, logger } = engines;
    const projector = runProjector({
      store,
      checkpoints,
      lease,
      logger,
      name: 'stuck',
      categories: ['order'],
      retryMs: [10],
      apply: async () => {
        if (failing) throw new Error('not now');
      },
    });
    const series = (metric: string) => value(engines.metrics, `${metric}{reader="stuck"}`);
    await until(async () => ((await series('ponte_reader_lag_seconds')) ?? 0) >= 60);
    expect(await series('ponte_reader_behind_positions')).toBe(1);
    expect(await value(engines.metrics, 'ponte_lease_held{lease="stuck"}')).toBe(1);
    failing = false;
    await until(async () => (await series('ponte_reader_lag_seconds')) === 0);
    expect(await series('ponte_reader_behind_positions')).toBe(0);
    expect(await series('ponte_reader_events_total')).toBe(1);
    await projector.stop();
    expect(await series('ponte_reader_lag_seconds')).toBeUndefined();
    expect(await value(engines.metrics, 'ponte_lease_held{lease="stuck"}')).toBeUndefined();
    expect(await value(engines.metrics, 'ponte_lease_losses_total{lease="stuck"}')).toBe(0);
  });
});

describe('the management port', () => {
  let management: Management;
  let readiness: Readiness;
  const observed = observability();
  const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${management.port}${path}`, init);
  beforeAll(async () => {
    ({ readiness } = observed);
    management = await startManagement({ port: 0, host: '127.0.0.1', ...observed });
  });
  afterAll(() => management.close());

  test('a process lives from its first moment; it is ready once started while its engines answer, and not from the drain on', async () => {
    expect((await get('/health/live')).status).toBe(200);
    expect(await (await get('/health/ready')).text()).toBe('starting\n');
    let away = false;
    readiness.serving({
      'the event store': async () => {
        if (away) throw new Error('esdb://user:secret@host');
      },
    });
    expect((await get('/health/ready')).status).toBe(200);
    away = true;
    const refused = await get('/health/ready');
    expect(refused.status).toBe(503);
    expect(await refused.text()).toBe('no answer from the event store\n');
    expect((await get('/health/live')).status).toBe(200);
    away = false;
    readiness.draining();
    expect((await get('/health/ready')).status).toBe(503);
    readiness.serving({});
    expect(await (await get('/health/ready')).text()).toBe('draining\n');
  });

  test('an engine that is silent makes the process not ready within the time of a probe', async () => {
    const silent = new Readiness();
    silent.serving({ 'the database': () => new Promise(() => undefined) });
    expect(await silent.obstacle()).toBe('no answer from the database');
  });

  test('metrics are what Prometheus reads, with those of the process', async () => {
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await answer.text();
    expect(text).toContain('\nponte_ready 0\n');
    expect(text).toContain('\nnodejs_eventloop_lag_p99_seconds ');
    expect(text).toContain('\nprocess_cpu_seconds_total ');
  });

  test('documents for operators are there by their paths', async () => {
    const other = await startManagement({
      port: 0,
      host: '127.0.0.1',
      ...observability(),
      documents: new Map<string, () => string | Promise<ManagementDocument>>([
        ['/staff/openapi.json', () => '{}'],
        ['/page', async () => ({ type: 'text/html', body: '<p>', headers: { 'content-security-policy': 'none' } })],
      ]),
    });
    const page = await fetch(`http://127.0.0.1:${other.port}/page`);
    expect([
      await page.text(),
      ...['content-type', 'content-security-policy'].map((name) => page.headers.get(name)),
    ]).toEqual(['<p>', 'text/html', 'none']);
    const answer = await fetch(`http://127.0.0.1:${other.port}/staff/openapi.json`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '{}',
    ]);
    await other.close();
  });

  test('nothing else is there', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
    expect(await (await get('/health/live', { method: 'HEAD' })).text()).toBe('');
  });

  test('a port in use is reported with the name of its variable', async () => {
    await expect(startManagement({ port: management.port, host: '127.0.0.1', ...observability() })).rejects.toThrow(
      /^MANAGEMENT_PORT: .*EADDRINUSE/,
    );
    expect(() => readRuntime({ MANAGEMENT_PORT: '70000' })).toThrow('MANAGEMENT_PORT');
    expect(readRuntime({}).management).toEqual({ port: null, host: '127.0.0.1' });
  });
});

test('while a reader of the log is stopped, the process is not ready and a metric says why', async () => {
  const observed = observability();
  const faults: StoreFault[] = [];
  reportLogFaults({ faults: () => faults }, observed);
  observed.readiness.serving({ store: async () => undefined });
  expect(await observed.readiness.obstacle()).toBeUndefined();
  faults.push({ kind: 'foreign-event', reader: 'view', stream: 'order-1', revision: '7', text: 'not ours' });
  expect(await observed.readiness.obstacle()).toBe('a reader of the log is stopped');
  expect(await value(observed.metrics, 'ponte_event_store_faults{kind="foreign-event"}')).toBe(1);
  expect(await value(observed.metrics, 'ponte_event_store_faults{kind="position"}')).toBe(0);
});
