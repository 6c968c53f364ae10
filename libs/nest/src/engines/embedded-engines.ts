import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SqliteEventStore } from '@ponte/eventstore-sqlite';
import { isDeclaredNested, SERVICE_CATEGORIES } from '@ponte/contracts';
import { throttledReaders, createInProcessBus, localBacklogs, BackgroundThrottle } from '@ponte/bus-in-process';
import {
  openSqliteEdgeState,
  openSqliteEventStore,
  openSqlitePersonalData,
  openSqliteSnapshots,
  openSqliteState,
  openSqliteReadModels,
  sqliteShadowReadModels,
} from '@ponte/eventstore-sqlite';
import { createReadModelCheckpoints } from '@ponte/read-models';
import type { EventStore } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import { instrument } from '@ponte/kernel';
import { businessTime, ClockSkew, systemClock } from '../clocks';
import type { Engines } from './engines';
import type { EngineOverrides, Telemetry } from './shared-engines';
import { openTelemetry, sharedEngines } from './shared-engines';
import { failpointsOf } from './failpoints';
import { assertWithinLog, positionsOf } from './log-positions';
import type { Tracing } from '@ponte/observability';
import { leaseMetrics, storeMetrics, storeTraces, timerTraces, Delays } from '@ponte/observability';
import type { Runtime } from '../process/runtime';
import { createTimers } from '@ponte/concurrency';

const OWNER_ONLY = 0o700;

/** Runs `work`; if it fails, releases the data folder by closing the store after `others`. */
async function closingOnFailure<T>(
  store: EventStore,
  work: () => Promise<T>,
  others: () => Promise<unknown> = async () => undefined,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await others();
    await store.close();
    throw error;
  }
}

/** A store supplied by a test may not be SQLite: it then has no probe and no check. */
const probing = (store: EventStore | SqliteEventStore): Pick<Engines, 'probes' | 'checkLog'> =>
  'writable' in store
    ? { probes: { 'the event log': () => store.writable() }, checkLog: () => store.check() }
    : { probes: {} };

/**
 * Opens the engines of a process that owns its data folder: SQLite, and a bus that reads from the log. The event store
 * is opened first, because its lock makes this process the owner of the folder.
 */
export async function openEmbeddedEngines(
  runtime: Runtime,
  name: string,
  overrides: EngineOverrides = {},
): Promise<Engines> {
  const failpoints = failpointsOf(runtime);
  if (runtime.environment === 'production' && !runtime.embeddedByName) {
    throw new Error('in production the embedded engines need PONTE_ENGINES=embedded');
  }
  const folder = runtime.dataDirectory;
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
  const telemetry = await openTelemetry(runtime, name, overrides);
  const { logger, metrics, tracing } = telemetry;
  const log = await openLog(runtime, telemetry, overrides, failpoints);
  const { opened, clock, delays, watched } = log;
  // A single process has no other clock to compare with, so the metric stays at zero.
  const clockSkew = new ClockSkew(systemClock.now, metrics);
  const throttle = new BackgroundThrottle();
  const store = instrument(watched, [throttledReaders(throttle)]);
  const readers = await openReaderDatabases(folder, log, tracing);
  const others = {
    snapshots: openSqliteSnapshots(join(folder, 'snapshots.db')),
    edgeState: openSqliteEdgeState(join(folder, 'edge.db')),
    personalData: openSqlitePersonalData({ directory: folder }),
  };
  const timers = instrument(createTimers(logger), [timerTraces(tracing)]);
  const { state, readModels } = readers;
  const bus = createInProcessBus({
    store: watched,
    checkpoints: state.checkpoints,
    parkedEvents: state.parkedEvents,
    systemNow: systemClock.now,
    logger,
    serviceCategories: SERVICE_CATEGORIES,
    throttle,
    ...(overrides.checkRequests ? { isDeclaredNested } : {}),
  });
  return {
    ...sharedEngines({
      ...telemetry,
      ...readers,
      ...others,
      runtime,
      clock,
      clockSkew,
      failpoints,
      store,
      lease: instrument(state.lease, [leaseMetrics(metrics)]),
      backlogs: localBacklogs(),
      delays,
      timers,
      bus,
    }),
    ...probing(opened),
    rewindable: new Map(),
    shadowReadModels: sqliteShadowReadModels(readModels, join(folder, 'read-models.rebuild.db')),
    close: () => closeInOrder({ ...readers, ...others, timers, time: log.time, bus, store, tracing }),
  };
}

/** Opens the event store and starts business time, unless the test or the benchmark has supplied them. */
async function openLog(
  runtime: Runtime,
  { logger, metrics, tracing }: Telemetry,
  overrides: EngineOverrides,
  failpoints: Engines['failpoints'],
) {
  const file = join(runtime.dataDirectory, 'events.db');
  const uncheckpointed = (error: unknown): void =>
    logger.warn(
      { error: safeError(error) },
      'the disk is full or cannot be written: the newest events stay in the write-ahead log, which the next start reads',
    );
  const opened = overrides.store ?? openSqliteEventStore({ file, writes: 'thread', uncheckpointed });
  const time = overrides.clock
    ? undefined
    : await closingOnFailure(opened, () => businessTime(runtime.environment, opened, logger));
  const clock = overrides.clock ?? time?.clock ?? systemClock;
  const delays = new Delays(clock);
  const watched = instrument<EventStore>(opened, [
    failpoints?.decorator,
    storeMetrics(metrics, systemClock.now, delays),
    storeTraces(tracing),
  ]);
  return { opened, time, clock, delays, watched };
}

/** Opens the databases that store how far readers have come, and checks that none is ahead of the log. */
async function openReaderDatabases(
  folder: string,
  { opened, time }: Awaited<ReturnType<typeof openLog>>,
  tracing: Tracing,
) {
  const state = openSqliteState(join(folder, 'state.db'));
  const readModels = openSqliteReadModels<unknown>(join(folder, 'read-models.db'), 'normal', 'thread');
  const readModelCheckpoints = createReadModelCheckpoints(readModels, state.checkpoints);
  await closingOnFailure(
    opened,
    async () => {
      await readModelCheckpoints.prepare();
      await assertWithinLog(folder, opened, [
        ...positionsOf(await state.operator.checkpoints()),
        ...positionsOf(await readModelCheckpoints.list()),
      ]);
    },
    () => Promise.all([time?.stop(), tracing.stop(), readModels.destroy(), state.close()]),
  );
  return { state, readModels, readModelCheckpoints };
}

type Closable = { close(): unknown };
type Stoppable = { stop(): unknown };

interface ToClose {
  readonly timers: Stoppable;
  readonly time: Stoppable | undefined;
  readonly bus: Stoppable;
  readonly readModels: { destroy(): unknown };
  readonly edgeState: Closable;
  readonly state: Closable;
  readonly personalData: Closable;
  readonly snapshots: Closable;
  readonly store: Closable;
  readonly tracing: Stoppable;
}

/** Closes the engines so that none uses another that is closed. */
async function closeInOrder(engines: ToClose): Promise<void> {
  await engines.timers.stop();
  await engines.time?.stop();
  await engines.bus.stop();
  await engines.readModels.destroy();
  await engines.edgeState.close();
  await engines.state.close();
  await engines.personalData.close();
  await engines.snapshots.close();
  await engines.store.close();
  await engines.tracing.stop();
}
