import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { SqliteEventStore } from '@ponte/eventstore-sqlite';
import { SERVICE_CATEGORIES } from '@ponte/contracts';
import { throttledReaders, createInProcessBus, localBacklogs, BackgroundThrottle } from '@ponte/bus-in-process';
import {
  openSqliteEdgeState,
  openSqliteEventStore,
  openSqlitePersonalData,
  openSqliteSnapshots,
  openSqliteState,
  openSqliteViews,
  sqliteShadowViews,
} from '@ponte/eventstore-sqlite';
import { createViewCheckpoints } from '@ponte/read-models';
import { Aggregates } from '@ponte/event-sourcing';
import type { EventStore, MessageBus } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { instrument } from '@ponte/kernel';
import { ClockSkew } from '../process/clock-skew';
import { afterConflict, systemClock } from '../defaults';
import type { Engines } from './engines';
import { failpointsOf } from './failpoints';
import { createIds } from '../ids';
import { assertWithinLog, placesOf } from './log-places';
import { createLogger, tellFailedSnapshots } from '../logging';
import {
  busLog,
  busMetrics,
  busTraces,
  leaseMetrics,
  storeMetrics,
  storeTraces,
  timerTraces,
  Delays,
  tellBacklog,
  observability,
  openTracing,
  originOf,
} from '@ponte/observability';
import type { Observability } from '@ponte/observability';
import type { Runtime } from '../process/runtime';
import { businessTime } from '../sandbox-clock';
import { createTimers } from '@ponte/concurrency';

const OWNER_ONLY = 0o700;

/** Who does not start does not own the folder. */
async function within<T>(
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

/** Of a store that a test gave, nothing but reading is asked. */
const probing = (store: EventStore | SqliteEventStore): Pick<Engines, 'probes' | 'checkLog'> =>
  'writable' in store
    ? { probes: { 'the event log': () => store.writable() }, checkLog: () => store.check() }
    : { probes: {} };

/** What a benchmark or a test puts in the place of an engine. */
export interface EngineOverrides {
  readonly store?: EventStore;
  readonly logger?: Logger;
  /** Business time. */
  readonly clock?: Clock;
  /** When someone serves them already. */
  readonly observability?: Observability;
}

/**
 * The engines of a process that owns its data folder: SQLite, and a bus that is fed from the log. The event store is
 * opened first, since its lock is what makes this process the owner of the folder.
 */
export async function openEmbeddedEngines(
  runtime: Runtime,
  name: string,
  overrides: EngineOverrides = {},
): Promise<Engines> {
  const failpoints = failpointsOf(runtime);
  if (runtime.environment === 'production' && !runtime.embeddedByName) {
    throw new Error('production does not run on the embedded engines unless PONTE_ENGINES=embedded says so');
  }
  const folder = runtime.dataDirectory;
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
  const { metrics, readiness, documents } = overrides.observability ?? observability();
  const tracing = await openTracing(runtime.tracing, {
    name,
    environment: runtime.environment,
    metrics,
    logger: () => logger,
  });
  const logger: Logger = overrides.logger ?? createLogger(name, runtime.logLevel, originOf(tracing));
  const opened = overrides.store ?? openSqliteEventStore({ file: join(folder, 'events.db'), writes: 'thread' });
  const time = overrides.clock
    ? undefined
    : await within(opened, () => businessTime(runtime.environment, opened, logger));
  const clock = overrides.clock ?? time?.clock ?? systemClock;
  const delays = new Delays(() => clock.now());
  const watched = instrument<EventStore>(opened, [
    failpoints?.decorator,
    storeMetrics(metrics, systemClock.now, delays),
    storeTraces(tracing),
  ]);
  // One process has no other clock to be compared with: the series is there, at zero.
  const clockSkew = new ClockSkew(systemClock.now, metrics);
  const throttle = new BackgroundThrottle();
  const store = instrument(watched, [throttledReaders(throttle)]);
  const state = openSqliteState(join(folder, 'state.db'));
  const views = openSqliteViews<unknown>(join(folder, 'views.db'), 'normal', 'thread');
  const viewCheckpoints = createViewCheckpoints(views, state.checkpoints);
  await within(
    opened,
    async () => {
      await viewCheckpoints.prepare();
      await assertWithinLog(folder, opened, [
        ...placesOf(await state.operator.checkpoints()),
        ...placesOf(await viewCheckpoints.list()),
      ]);
    },
    () => Promise.all([time?.stop(), tracing.stop(), views.destroy(), state.close()]),
  );
  const snapshots = openSqliteSnapshots(join(folder, 'snapshots.db'));
  const edgeState = openSqliteEdgeState(join(folder, 'edge.db'));
  const personalData = openSqlitePersonalData({ directory: folder });
  const timers = instrument(createTimers(logger), [timerTraces(tracing)]);
  const parkingLot = createInProcessBus({
    store: watched,
    checkpoints: state.checkpoints,
    parkedEvents: state.parkedEvents,
    systemNow: systemClock.now,
    logger,
    serviceCategories: SERVICE_CATEGORIES,
    throttle,
  });
  const bus = instrument<MessageBus>(parkingLot, [
    busMetrics(parkingLot, metrics, systemClock.now, delays),
    busLog(logger),
    busTraces(tracing),
  ]);
  const backlogs = localBacklogs();
  tellBacklog({ delays, backlogs, metrics, timers });
  return {
    runtime,
    logger,
    metrics,
    documents,
    tracing,
    readiness,
    ...probing(opened),
    clock,
    systemClock,
    failpoints,
    ids: createIds(systemClock),
    timers,
    store,
    bus,
    parkingLot,
    aggregates: new Aggregates({
      store,
      systemNow: systemClock.now,
      pause: afterConflict,
      snapshots,
      snapshotFailed: tellFailedSnapshots(logger),
    }),
    checkpoints: state.checkpoints,
    viewCheckpoints,
    lease: instrument(state.lease, [leaseMetrics(metrics)]),
    views,
    edgeState,
    backlogs,
    personalData,
    clockSkew,
    parkedEvents: state.parkedEvents,
    operator: state.operator,
    rewindable: new Map(),
    duties: new Map(),
    shadowViews: sqliteShadowViews(views, join(folder, 'views.rebuild.db')),
    async close() {
      await timers.stop();
      await time?.stop();
      await bus.stop();
      await views.destroy();
      await edgeState.close();
      await state.close();
      await personalData.close();
      await snapshots.close();
      await store.close();
      await tracing.stop();
    },
  };
}
