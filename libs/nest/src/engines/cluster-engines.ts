import { mkdirSync } from 'node:fs';
import type { Logger } from 'pino';
import type { EventStore } from '@ponte/event-sourcing';
import { instrument } from '@ponte/kernel';
import { relayName } from '@ponte/bus-kafka';
import { openEventStoreDb } from '@ponte/eventstore-eventstoredb';
import {
  KEYS_SCHEMA,
  migratePostgres,
  openPostgresBacklogs,
  openPostgresEdgeState,
  openPostgresPersonalData,
  openPostgresSnapshots,
  openPostgresState,
  openPostgresReadModels,
  Postgres,
  postgresShadowReadModels,
} from '@ponte/postgres';
import { createReadModelCheckpoints } from '@ponte/read-models';
import { ClockSkew, refusingWrites, SKEW_LOOK_MS } from '../process/clock-skew';
import { systemClock } from '../defaults';
import { openKafkaBus, openRelay } from './cluster-bus';
import type { Engines } from './engines';
import { failpointsOf } from './failpoints';
import { skippedBy, reportLogFaults } from './log-faults';
import { AppendHealth, leaseMetrics, storeMetrics, storeTraces, timerTraces, Delays } from '@ponte/observability';
import type { RemoteEngines } from './remote-engines';
import { remoteOf } from './remote-engines';
import type { EngineOverrides, Telemetry } from './shared-engines';
import { openTelemetry, sharedEngines } from './shared-engines';
import type { Runtime } from '../process/runtime';
import { businessTime } from '../sandbox-clock';
import { createTimers } from '@ponte/concurrency';

/** The schema of a service's tables in PostgreSQL. */
export const schemaOf = (service: string): string => `ponte_${service}`;

/** The engines of one process of a cluster: EventStoreDB, Kafka and PostgreSQL, shared with every other process. */
export async function openClusterEngines(
  runtime: Runtime,
  service: string,
  overrides: Omit<EngineOverrides, 'store'> = {},
): Promise<Engines> {
  const remote = remoteOf(runtime);
  const failpoints = failpointsOf(runtime);
  mkdirSync(runtime.dataDirectory, { recursive: true });
  const telemetry = await openTelemetry(runtime, service, overrides, remote.instance);
  const opened: Opened = { ends: [() => telemetry.tracing.stop()] };
  try {
    return await assemble(runtime, remote, service, { ...telemetry, clock: overrides.clock, failpoints }, opened);
  } catch (error) {
    await end(opened, telemetry.logger);
    throw error;
  }
}

/** Creates or updates a service's tables, for a job that runs before a release. */
export async function migrateClusterEngines(runtime: Runtime, service: string): Promise<void> {
  await migratePostgres(remoteOf(runtime).databaseUrl, [schemaOf(service)], { keysSchema: KEYS_SCHEMA });
}

/** The close functions of the engines opened so far. They are called in reverse order. */
interface Opened {
  readonly ends: (() => Promise<unknown>)[];
}

interface Parts extends Telemetry {
  readonly clock: Engines['clock'] | undefined;
  readonly failpoints: Engines['failpoints'];
}

async function assemble(
  runtime: Runtime,
  remote: RemoteEngines,
  service: string,
  { clock: given, failpoints, ...telemetry }: Parts,
  opened: Opened,
): Promise<Engines> {
  const { logger, tracing, metrics, readiness } = telemetry;
  const kept = <T>(engine: T, close: (engine: T) => Promise<unknown>): T => {
    opened.ends.push(() => close(engine));
    return engine;
  };
  const decided: { isSkipped?: (stream: string, revision: string) => Promise<boolean> } = {};
  const eventStore = kept(
    await openEventStoreDb({
      connectionString: remote.esdbUrl,
      logger,
      connectionName: `ponte-${service}-${remote.instance}`,
      isSkipped: async (stream, revision) => (await decided.isSkipped?.(stream, revision)) ?? false,
    }),
    (one) => one.close(),
  );
  reportLogFaults(eventStore, { metrics, readiness });
  const clock = given ?? kept(await businessTime(runtime.environment, eventStore, logger), (one) => one.stop()).clock;
  const delays = new Delays(clock);
  const appends = new AppendHealth(() => performance.now());
  const skew = new ClockSkew(systemClock.now, metrics);
  const store = instrument<EventStore>(eventStore, [
    failpoints?.decorator,
    appends.decorator,
    refusingWrites(skew),
    storeMetrics(metrics, systemClock.now, delays),
    storeTraces(tracing),
  ]);
  const limits = { connections: remote.databaseConnections };
  const postgres = kept(
    await Postgres.open({
      url: remote.databaseUrl,
      schema: schemaOf(service),
      logger,
      applicationName: `ponte-${service}`,
      limits,
    }),
    (one) => one.close(),
  );
  const personalData = await openPostgresPersonalData(postgres, { masterKey: remote.masterKey });
  const state = kept(await openPostgresState(postgres, undefined, remote.instance), (one) => one.close());
  decided.isSkipped = skippedBy(state.operator);
  const lease = instrument(state.lease, [leaseMetrics(metrics)]);
  const snapshots = await openPostgresSnapshots(postgres);
  const edgeState = kept(
    await openPostgresEdgeState(postgres, service === 'gateway' ? remote.instance : undefined),
    (one) => one.close(),
  );
  const backlogs = await openPostgresBacklogs(postgres, `${service}/${remote.instance}`);
  const readModels = kept(await openPostgresReadModels<unknown>(postgres), (one) => one.destroy());
  const readModelCheckpoints = createReadModelCheckpoints(readModels, state.checkpoints);
  await readModelCheckpoints.prepare();
  const rewindable: Engines['rewindable'] = new Map();
  const brokers = { remote, service, logger, metrics, state };
  const relay = openRelay({ ...brokers, store, lease, tracing });
  if (relay)
    rewindable.set(
      relayName(service),
      kept(relay, (one) => one.stop()),
    );
  const bus = kept(openKafkaBus(brokers), (one) => one.stop());
  const timers = instrument(
    kept(createTimers(logger), (one) => one.stop()),
    [timerTraces(tracing)],
  );
  timers.every('clock-skew', SKEW_LOOK_MS, () => skew.look(() => databaseNow(postgres)));
  let closing: Promise<void> | undefined;
  return {
    ...sharedEngines({
      ...telemetry,
      runtime,
      clock,
      clockSkew: skew,
      failpoints,
      store,
      state,
      lease,
      snapshots,
      readModels,
      readModelCheckpoints,
      edgeState,
      backlogs,
      personalData,
      delays,
      timers,
      bus,
    }),
    logFaults: () => eventStore.faults(),
    probes: { 'appends to the event store': () => appends.assertWorking() },
    rewindable,
    shadowReadModels: postgresShadowReadModels(postgres, readModels),
    close: () => (closing ??= end(opened, logger)),
  };
}

/** Closes every engine even if another fails to close, so that no lease or connection stays held. */
async function end({ ends }: Opened, logger: Logger): Promise<void> {
  for (const close of ends.splice(0).reverse()) {
    await close().catch((error: unknown) =>
      logger.error({ failure: error instanceof Error ? error.name : typeof error }, 'an engine did not close cleanly'),
    );
  }
}

/** The server's time in epoch milliseconds. All services of an installation share the server. */
async function databaseNow(postgres: Postgres): Promise<number> {
  const [row] = await postgres.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  return Number(row?.now);
}
