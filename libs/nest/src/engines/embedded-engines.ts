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
import { assertReadersWithinLog } from './log-positions';
import { OpenEngines } from './open-engines';
import { leaseMetrics, storeMetrics, storeTraces, timerTraces, Delays } from '@ponte/observability';
import type { Runtime } from '../process/runtime';
import { createTimers } from '@ponte/concurrency';

const OWNER_ONLY = 0o700;

/** A store supplied by a test may not be SQLite: it then has no probe and no check. */
const probing = (
  store: EventStore | SqliteEventStore,
  probes: Engines['probes'] = {},
): Pick<Engines, 'probes' | 'checkLog'> =>
  'writable' in store
    ? { probes: { 'the event log': () => store.writable(), ...probes }, checkLog: () => store.check() }
    : { probes };

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
  makeFolder(runtime.dataDirectory);
  const telemetry = await openTelemetry(runtime, name, overrides);
  const opened = new OpenEngines();
  opened.keep(telemetry.tracing, (tracing) => tracing.stop());
  try {
    return await assemble({ ...telemetry, runtime, failpoints }, overrides, opened);
  } catch (error) {
    await opened.close(telemetry.logger);
    throw error;
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`PONTE_DATA_DIR: ${path} cannot be used as a folder (${code ?? message})`, { cause: error });
  }
}

type Parts = Telemetry & Pick<Engines, 'runtime' | 'failpoints'>;

async function assemble(parts: Parts, overrides: EngineOverrides, opened: OpenEngines): Promise<Engines> {
  const { logger, metrics, tracing } = parts;
  const folder = parts.runtime.dataDirectory;
  const { log, clock, delays, watched } = await openLog(parts, overrides, opened);
  // A single process has no other clock to compare with, so the metric stays at zero.
  const clockSkew = new ClockSkew(systemClock.now, metrics);
  const throttle = new BackgroundThrottle();
  const readers = await openReaderDatabases(folder, log, opened);
  const { state, readModels } = readers;
  const databases = {
    snapshots: opened.keep(openSqliteSnapshots(join(folder, 'snapshots.db')), (one) => one.close()),
    personalData: opened.keep(openSqlitePersonalData({ directory: folder }), (one) => one.close()),
    edgeState: opened.keep(openSqliteEdgeState(join(folder, 'edge.db')), (one) => one.close()),
  };
  const bus = opened.keep(
    createInProcessBus({
      store: watched,
      checkpoints: state.checkpoints,
      parkedEvents: state.parkedEvents,
      systemNow: systemClock.now,
      logger,
      serviceCategories: SERVICE_CATEGORIES,
      throttle,
      ...(overrides.checkRequests ? { isDeclaredNested } : {}),
    }),
    (one) => one.stop(),
  );
  const timers = instrument(
    opened.keep(createTimers(logger), (one) => one.stop()),
    [timerTraces(tracing)],
  );
  return {
    ...sharedEngines({
      ...parts,
      ...readers,
      ...databases,
      clock,
      clockSkew,
      store: instrument(watched, [throttledReaders(throttle)]),
      lease: instrument(state.lease, [leaseMetrics(metrics)]),
      backlogs: localBacklogs(),
      delays,
      timers,
      bus,
    }),
    ...probing(log, overrides.probes),
    rewindable: new Map(),
    shadowReadModels: sqliteShadowReadModels(readModels, join(folder, 'read-models.rebuild.db')),
    close: () => opened.close(logger),
  };
}

/** Opens the event store and starts business time, unless the test or the benchmark has supplied them. */
async function openLog(
  { runtime, logger, metrics, tracing, failpoints }: Parts,
  overrides: EngineOverrides,
  opened: OpenEngines,
) {
  const file = join(runtime.dataDirectory, 'events.db');
  const uncheckpointed = (error: unknown): void =>
    logger.warn(
      { error: safeError(error) },
      'the disk is full or cannot be written: the newest events stay in the write-ahead log, which the next start reads',
    );
  const log = opened.keep(overrides.store ?? openSqliteEventStore({ file, writes: 'thread', uncheckpointed }), (one) =>
    one.close(),
  );
  const clock =
    overrides.clock ?? opened.keep(await businessTime(runtime.environment, log, logger), (one) => one.stop()).clock;
  const delays = new Delays(clock);
  const watched = instrument<EventStore>(log, [
    failpoints?.decorator,
    storeMetrics(metrics, systemClock.now, delays),
    storeTraces(tracing),
  ]);
  return { log, clock, delays, watched };
}

/** Opens the databases that store how far readers have come, and checks that none is ahead of the log. */
async function openReaderDatabases(folder: string, log: EventStore, opened: OpenEngines) {
  const state = opened.keep(openSqliteState(join(folder, 'state.db')), (one) => one.close());
  const readModels = opened.keep(
    openSqliteReadModels<unknown>(join(folder, 'read-models.db'), 'normal', 'thread'),
    (one) => one.destroy(),
  );
  const readModelCheckpoints = createReadModelCheckpoints(readModels, state.checkpoints);
  await readModelCheckpoints.prepare();
  await assertReadersWithinLog(folder, log, [
    ...(await state.operator.checkpoints()),
    ...(await readModelCheckpoints.list()),
  ]);
  return { state, readModels, readModelCheckpoints };
}
