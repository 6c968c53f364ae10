import { createLocalLease } from '@ponte/eventstore-sqlite';
import { openEventStoreDb } from '@ponte/eventstore-eventstoredb';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { Checkpoints } from '@ponte/event-sourcing';
import { observability } from '@ponte/observability';
import { runProjector } from '@ponte/read-models';
import { anEvent, eventually, startEsdbServer } from '@ponte/testing';
import { reportLogFaults } from './log-faults';

const logger = { warn: () => undefined, error: () => undefined };

test('a projector whose checkpoint is beyond the end of the log makes its process not ready and is reported', async () => {
  const server = await startEsdbServer();
  const store = await openEventStoreDb({
    connectionString: server.connectionString,
    logger,
    limits: { confirmMs: 50 },
  });
  const observed = observability();
  observed.readiness.serving({});
  reportLogFaults(store, observed);
  await store.append('order-1', NO_STREAM, anEvent());
  const beyond = '999999999:999999999';
  const checkpoints: Checkpoints = { load: async () => beyond, save: async () => true };
  const projector = runProjector({
    store,
    checkpoints,
    lease: createLocalLease(() => 1),
    logger,
    name: 'orders-list',
    categories: ['order'],
    apply: async () => undefined,
    retryMs: [10],
  });
  let isCaughtUp = false;
  void projector.caughtUp.then(() => {
    isCaughtUp = true;
  });
  const stopped = async (): Promise<number | undefined> => {
    const metric = await observed.metrics.registry.getSingleMetric('ponte_event_store_faults')?.get();
    return metric?.values.find(({ labels }) => labels['kind'] === 'position')?.value;
  };
  try {
    await eventually(async () => expect(await stopped()).toBe(1), 20_000);
    expect(await observed.readiness.notReadyReason()).toBe('a reader of the log has stopped');
    // The fault stays while the projector tries again.
    await store.append('order-2', NO_STREAM, anEvent());
    expect([await stopped(), isCaughtUp]).toEqual([1, false]);
  } finally {
    await projector.stop();
    await store.close();
    await server.stop();
  }
});
