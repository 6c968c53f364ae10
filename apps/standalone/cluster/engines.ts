import { join, resolve } from 'node:path';
import { startKeptPostgres } from '@ponte/testing';
import { startHelper } from './helper-program';

type Env = Readonly<Record<string, string | undefined>>;

/** An engine that the cluster runs on: given by its variable, or started for it. */
export interface ClusterEngine {
  /** The variable that tells the services where it is, and its value. */
  readonly variable: 'ESDB_URL' | 'KAFKA_BROKERS' | 'DATABASE_URL';
  readonly value: string;
  /** What the start says of it. */
  readonly description: string;
  stop(): Promise<void>;
}

const given = (variable: ClusterEngine['variable'], value: string, name: string): ClusterEngine =>
  ({ variable, value, description: `${name}: given by ${variable}`, stop: async () => undefined });

/** Where the programs of this repository lie, beside the bundle of this one. */
const ROOT = resolve(__dirname, '../..');

/** Starts what is not given. What was started is stopped again when another one fails. */
export async function startEngines(env: Env, dataDirectory: string): Promise<readonly ClusterEngine[]> {
  const starts = await Promise.allSettled([eventStore(env, dataDirectory), kafka(env, dataDirectory), postgres(env, dataDirectory)]);
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  if (!failed) return started;
  await Promise.all(started.map((engine) => engine.stop()));
  throw failed.reason;
}

async function eventStore(env: Env, dataDirectory: string): Promise<ClusterEngine> {
  if (env['ESDB_URL']) return given('ESDB_URL', env['ESDB_URL'], 'EventStoreDB');
  const { told, stop } = await startHelper<{ connectionString: string }>(join(ROOT, 'dist/cluster/event-store.js'), ['--port', '0', '--file', join(dataDirectory, 'event-store.log')]);
  return { variable: 'ESDB_URL', value: told.connectionString, description: 'EventStoreDB: test server, not the product', stop };
}

async function kafka(env: Env, dataDirectory: string): Promise<ClusterEngine> {
  if (env['KAFKA_BROKERS']) return given('KAFKA_BROKERS', env['KAFKA_BROKERS'], 'Kafka');
  const { told, stop } = await startHelper<{ brokers: string; name: string }>(join(ROOT, 'deploy/kafka/local.mjs'), ['--while-stdin', '--data', join(dataDirectory, 'kafka')]);
  return { variable: 'KAFKA_BROKERS', value: told.brokers, description: told.name, stop };
}

/** PostgreSQL is not started from nothing: without Debian's, and without one that is given, the start is refused. */
async function postgres(env: Env, dataDirectory: string): Promise<ClusterEngine> {
  if (env['DATABASE_URL']) return given('DATABASE_URL', env['DATABASE_URL'], 'PostgreSQL');
  const { url, name, stop } = await startKeptPostgres(join(dataDirectory, 'postgres'));
  return { variable: 'DATABASE_URL', value: url, description: name, stop };
}
