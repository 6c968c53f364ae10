import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { EventToAppend } from '@ponte/event-sourcing';
import { command, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { StoreFault } from '@ponte/eventstore-eventstoredb';
import { runProjector } from '@ponte/read-models';
import { reportLogFaults } from '../engines/log-faults';
import type { Engines } from '../engines/engines';
import { openEmbeddedEngines } from '../engines/embedded-engines';
import { readRuntime } from '../process/runtime';
import { observability } from '@ponte/observability';
import { value, until } from './metric-values.testing';

describe('the instrumented engines', () => {
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

  test('time appends by outcome and count conflicts by the category of the stream', async () => {
    await engines.store.append('order-1', NO_STREAM, [event('order-1')]);
    await expect(engines.store.append('order-1', 7, [event('order-1', 1)])).rejects.toBeInstanceOf(
      WrongExpectedRevision,
    );
    expect(await value(engines.metrics, 'ponte_append_seconds_count{outcome="kept"}')).toBe(1);
    expect(await value(engines.metrics, 'ponte_append_seconds_count{outcome="conflict"}')).toBe(1);
    expect(await value(engines.metrics, 'ponte_append_conflicts_total{category="order"}')).toBe(1);
    expect(await value(engines.metrics, 'ponte_append_events_sum')).toBe(2);
  });

  test('time requests by pattern and outcome where they are processed', async () => {
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

  test('report the lag of a projector that cannot apply an event, by time and by events behind, and its lease', async () => {
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

test('a stopped reader of the log makes the process not ready, and a metric reports the reason', async () => {
  const observed = observability();
  const faults: StoreFault[] = [];
  reportLogFaults({ faults: () => faults }, observed);
  observed.readiness.serving({ store: async () => undefined });
  expect(await observed.readiness.notReadyReason()).toBeUndefined();
  faults.push({ kind: 'foreign-event', reader: 'read model', stream: 'order-1', revision: '7', text: 'not ours' });
  expect(await observed.readiness.notReadyReason()).toBe('a reader of the log has stopped');
  expect(await value(observed.metrics, 'ponte_event_store_faults{kind="foreign-event"}')).toBe(1);
  expect(await value(observed.metrics, 'ponte_event_store_faults{kind="position"}')).toBe(0);
});
