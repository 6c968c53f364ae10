import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Logger } from 'pino';
import { COMPLIANCE_REVIEWS, reviewNotice, SERVICE_CATEGORIES, SERVICES } from '@ponte/contracts';
import type { EventStore, MessageBus } from '@ponte/event-sourcing';
import { instrument } from '@ponte/kernel';
import type { KafkaConnection, TopicSettings } from '@ponte/bus-kafka';
import type { Projector } from '@ponte/read-models';
import { createKafkaBus, createRelay, relayName } from '@ponte/bus-kafka';
import { openEventStoreDb } from '@ponte/eventstore-eventstoredb';
import {
  KEYS_SCHEMA,
  migratePostgres,
  openPostgresBacklogs,
  openPostgresEdgeState,
  openPostgresPersonalData,
  openPostgresSnapshots,
  openPostgresState,
  openPostgresViews,
  Postgres,
  postgresShadowViews,
} from '@ponte/postgres';
import { createViewCheckpoints } from '@ponte/read-models';
import { Aggregates } from '@ponte/event-sourcing';
import { ClockSkew, refusingWrites, SKEW_LOOK_MS } from '../process/clock-skew';
import { afterConflict, systemClock } from '../defaults';
import type { EngineOverrides } from './embedded-engines';
import type { Engines } from './engines';
import { failpointsOf } from './failpoints';
import { createIds } from '../ids';
import { skippedBy, reportLogFaults } from './log-faults';
import { createLogger, tellFailedSnapshots } from '../logging';
import {
  AppendHealth,
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
  KafkaCounts,
  relayCounts,
  openTracing,
  originOf,
  tracedRelay,
} from '@ponte/observability';
import type { Observability, Tracing } from '@ponte/observability';
import type { KafkaSettings, RemoteEngines } from './remote-engines';
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
  const observed = overrides.observability ?? observability();
  const { environment, tracing: config } = runtime;
  const tracing = await openTracing(config, {
    name: service,
    instance: remote.instance,
    environment,
    metrics: observed.metrics,
    logger: () => logger,
  });
  const logger: Logger = overrides.logger ?? createLogger(service, runtime.logLevel, originOf(tracing));
  const opened: Opened = { ends: [() => tracing.stop()] };
  try {
    return await assemble(
      runtime,
      remote,
      service,
      { logger, clock: overrides.clock, failpoints, tracing, ...observed },
      opened,
    );
  } catch (error) {
    await end(opened, logger);
    throw error;
  }
}

/** Makes or updates a service's tables, for a job before a release. */
export async function migrateClusterEngines(runtime: Runtime, service: string): Promise<void> {
  await migratePostgres(remoteOf(runtime).databaseUrl, [schemaOf(service)], { keysSchema: KEYS_SCHEMA });
}

/** What has been opened so far, in the order in which it is to be closed from the back. */
interface Opened {
  readonly ends: (() => Promise<unknown>)[];
}

interface Parts extends Observability {
  readonly logger: Logger;
  readonly clock: Engines['clock'] | undefined;
  readonly failpoints: Engines['failpoints'];
  readonly tracing: Tracing;
}

async function assemble(
  runtime: Runtime,
  remote: RemoteEngines,
  service: string,
  { logger, clock: given, failpoints, tracing, metrics, readiness, documents }: Parts,
  opened: Opened,
): Promise<Engines> {
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
  const delays = new Delays(() => clock.now());
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
  const views = kept(await openPostgresViews<unknown>(postgres), (one) => one.destroy());
  const viewCheckpoints = createViewCheckpoints(views, state.checkpoints);
  await viewCheckpoints.prepare();
  const shared = {
    connection: connectionOf(remote.kafka),
    namespace: remote.kafka.prefix,
    topics: topicsOf(remote.kafka),
    systemNow: systemClock.now,
    logger,
    service,
  };
  const categories = categoriesOf(service);
  const rewindable: Engines['rewindable'] = new Map();
  if (categories.length > 0) {
    const observer = relayCounts(metrics, systemClock.now, () => relay.holds());
    const relay: Projector = kept(
      createRelay({
        ...shared,
        ...noticesOf(service),
        categories,
        store,
        checkpoints: state.checkpoints,
        lease,
        observer,
        ...tracedRelay(service, tracing),
      }),
      (one) => one.stop(),
    );
    rewindable.set(relayName(service), relay);
  }
  const parkingLot = kept(
    createKafkaBus({
      ...shared,
      observer: new KafkaCounts(metrics),
      instance: remote.instance,
      serviceCategories: SERVICE_CATEGORIES,
      parkedEvents: state.parkedEvents,
    }),
    (one) => one.stop(),
  );
  const bus = instrument<MessageBus>(parkingLot, [
    busMetrics(parkingLot, metrics, systemClock.now, delays),
    busLog(logger),
    busTraces(tracing),
  ]);
  const timers = instrument(
    kept(createTimers(logger), (one) => one.stop()),
    [timerTraces(tracing)],
  );
  tellBacklog({ delays, backlogs, metrics, timers });
  timers.every('clock-skew', SKEW_LOOK_MS, () => skew.look(() => databaseNow(postgres)));
  let closing: Promise<void> | undefined;
  return {
    runtime,
    logger,
    clock,
    systemClock,
    failpoints,
    ids: createIds(systemClock),
    timers,
    store,
    bus,
    parkingLot,
    metrics,
    documents,
    tracing,
    readiness,
    logFaults: () => eventStore.faults(),
    probes: { 'appends to the event store': () => appends.assertWorking() },
    aggregates: new Aggregates({
      store,
      systemNow: systemClock.now,
      pause: afterConflict,
      run: randomUUID(),
      snapshots,
      snapshotFailed: tellFailedSnapshots(logger),
    }),
    checkpoints: state.checkpoints,
    viewCheckpoints,
    lease,
    views,
    clockSkew: skew,
    edgeState,
    backlogs,
    personalData,
    parkedEvents: state.parkedEvents,
    operator: state.operator,
    rewindable,
    duties: new Map(),
    shadowViews: postgresShadowViews(postgres, views),
    close: () => (closing ??= end(opened, logger)),
  };
}

/** What a service tells others beside its own events. */
const noticesOf = (service: string) =>
  service === 'onboarding' ? { notices: { topic: COMPLIANCE_REVIEWS, of: reviewNotice } } : {};

/** Each is closed even when another fails to: what holds a lease or a connection must not keep it. */
async function end({ ends }: Opened, logger: Logger): Promise<void> {
  for (const close of ends.splice(0).reverse()) {
    await close().catch((error: unknown) =>
      logger.error({ failure: error instanceof Error ? error.name : typeof error }, 'an engine did not close in order'),
    );
  }
}

/** Throws where the environment does not name the engines. */
export function remoteOf({ remote }: Runtime): RemoteEngines {
  if (!remote) throw new Error('a process of a cluster needs ESDB_URL, KAFKA_BROKERS and DATABASE_URL');
  return remote;
}

/** Epoch milliseconds. All services of an installation share the server. */
async function databaseNow(postgres: Postgres): Promise<number> {
  const [row] = await postgres.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  return Number(row?.now);
}

/** The streams that a service owns. */
export const categoriesOf = (service: string): readonly string[] => {
  const known = SERVICES.find((one) => one === service);
  return known ? SERVICE_CATEGORIES[known] : [];
};

/** As the client of the brokers wants it. */
export const connectionOf = ({ brokers, ssl, sasl }: KafkaSettings): KafkaConnection => ({
  brokers,
  ssl,
  ...(sasl ? { sasl: { mechanism: sasl.mechanism as 'plain', username: sasl.username, password: sasl.password } } : {}),
});

const topicsOf = ({ partitions, replicationFactor }: KafkaSettings): Partial<TopicSettings> => ({
  partitions,
  replication: replicationFactor,
});
