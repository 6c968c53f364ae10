import type { Logger } from 'pino';
import { instrument } from '@ponte/kernel';
import { leaseMetrics } from '@ponte/observability';
import type { Metrics } from '@ponte/observability';
import {
  openPostgresBacklogs,
  openPostgresEdgeState,
  openPostgresPersonalData,
  openPostgresReadModels,
  openPostgresSnapshots,
  openPostgresState,
  Postgres,
  postgresShadowReadModels,
} from '@ponte/postgres';
import { createReadModelCheckpoints } from '@ponte/read-models';
import type { OpenEngines } from './open-engines';
import type { RemoteEngines } from './remote-engines';

interface ClusterDatabaseParts {
  readonly remote: RemoteEngines;
  readonly service: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export const schemaOf = (service: string): string => `ponte_${service}`;

/** Connects to PostgreSQL and opens everything that a service stores in its schema. */
export async function openClusterDatabase(parts: ClusterDatabaseParts, opened: OpenEngines) {
  const { remote, service, logger, metrics } = parts;
  const postgres = opened.keep(
    await Postgres.open({
      url: remote.databaseUrl,
      schema: schemaOf(service),
      logger,
      applicationName: `ponte-${service}`,
      limits: { connections: remote.databaseConnections },
    }),
    (one) => one.close(),
  );
  const personalData = await openPostgresPersonalData(postgres, { masterKey: remote.masterKey });
  const state = opened.keep(await openPostgresState(postgres, undefined, remote.instance), (one) => one.close());
  const snapshots = await openPostgresSnapshots(postgres);
  const edgeState = opened.keep(
    await openPostgresEdgeState(postgres, service === 'gateway' ? remote.instance : undefined),
    (one) => one.close(),
  );
  const backlogs = await openPostgresBacklogs(postgres, `${service}/${remote.instance}`);
  const readModels = opened.keep(await openPostgresReadModels<unknown>(postgres), (one) => one.destroy());
  const readModelCheckpoints = createReadModelCheckpoints(readModels, state.checkpoints);
  await readModelCheckpoints.prepare();
  return {
    personalData,
    state,
    lease: instrument(state.lease, [leaseMetrics(metrics)]),
    snapshots,
    edgeState,
    backlogs,
    readModels,
    readModelCheckpoints,
    shadowReadModels: postgresShadowReadModels(postgres, readModels),
    now: () => databaseNow(postgres),
  };
}

/** The server's time in epoch milliseconds. All services of an installation share the server. */
async function databaseNow(postgres: Postgres): Promise<number> {
  const [row] = await postgres.query<{ now: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
  );
  return Number(row?.now);
}
