import { mkdirSync } from 'node:fs';
import { relayName } from '@ponte/bus-kafka';
import { createTimers } from '@ponte/concurrency';
import { instrument } from '@ponte/kernel';
import { timerTraces } from '@ponte/observability';
import { KEYS_SCHEMA, migratePostgres } from '@ponte/postgres';
import { watchClock } from '../clocks';
import type { Runtime } from '../process/runtime';
import { openKafkaBus, openRelay } from './cluster-bus';
import { openClusterDatabase, schemaOf } from './cluster-database';
import type { ClusterLogParts } from './cluster-log';
import { openClusterLog } from './cluster-log';
import type { Engines } from './engines';
import { reportEngineCertificates } from './engine-certificates';
import { failpointsOf } from './failpoints';
import { skippedBy } from './log-faults';
import { OpenEngines } from './open-engines';
import { remoteOf } from './remote-engines';
import type { EngineOverrides } from './shared-engines';
import { openTelemetry, sharedEngines } from './shared-engines';

/** The engines of one process of a cluster: EventStoreDB, Kafka and PostgreSQL, shared with every other process. */
export async function openClusterEngines(
  runtime: Runtime,
  service: string,
  overrides: Omit<EngineOverrides, 'store'> = {},
): Promise<Engines> {
  const remote = remoteOf(runtime, service);
  const failpoints = failpointsOf(runtime);
  mkdirSync(runtime.dataDirectory, { recursive: true });
  const telemetry = await openTelemetry(runtime, service, overrides, remote.instance);
  const opened = new OpenEngines();
  opened.keep(telemetry.tracing, (tracing) => tracing.stop());
  try {
    return await assemble({ ...telemetry, runtime, remote, service, clock: overrides.clock, failpoints }, opened);
  } catch (error) {
    await opened.close(telemetry.logger);
    throw error;
  }
}

/** Creates or updates a service's tables, for a job that runs before a release. */
export async function migrateClusterEngines(runtime: Runtime, service: string): Promise<void> {
  await migratePostgres(remoteOf(runtime, service).databaseUrl, [schemaOf(service)], { keysSchema: KEYS_SCHEMA });
}

async function assemble(parts: ClusterLogParts, opened: OpenEngines): Promise<Engines> {
  const { remote, service, ...shared } = parts;
  const { logger, metrics, tracing } = shared;
  reportEngineCertificates(remote, metrics);
  const { skip, logFaults, probes, ...log } = await openClusterLog(parts, opened);
  const { now, shadowReadModels, ...database } = await openClusterDatabase(parts, opened);
  skip(skippedBy(database.state.operator));
  const rewindable: Engines['rewindable'] = new Map();
  const brokers = { remote, service, logger, metrics, state: database.state };
  const relay = openRelay({ ...brokers, store: log.store, lease: database.lease, tracing });
  if (relay)
    rewindable.set(
      relayName(service),
      opened.keep(relay, (one) => one.stop()),
    );
  const bus = opened.keep(openKafkaBus({ ...brokers, log: log.store }), (one) => one.stop());
  const timers = instrument(
    opened.keep(createTimers(logger), (one) => one.stop()),
    [timerTraces(tracing)],
  );
  await watchClock(log.clockSkew, now, timers);
  return {
    ...sharedEngines({ ...shared, ...log, ...database, timers, bus }),
    logFaults,
    probes,
    rewindable,
    shadowReadModels,
    close: () => opened.close(logger),
  };
}
