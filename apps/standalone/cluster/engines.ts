import { join, resolve } from 'node:path';
import type { Variables } from '@ponte/kernel';
import { freePort, startKeptPostgres } from '@ponte/testing';
import { startHelper } from './helper-program';
import type { ProcessTable } from './process-table';

/** An engine that the cluster uses: given by its variable, or started for the cluster. */
export interface ClusterEngine {
  /** The environment variable with the engine's address. */
  readonly variable: 'ESDB_URL' | 'KAFKA_BROKERS' | 'DATABASE_URL';
  readonly value: string;
  /** The text printed about the engine at the start. */
  readonly description: string;
  stop(): Promise<void>;
}

const given = (variable: ClusterEngine['variable'], value: string, name: string): ClusterEngine => ({
  variable,
  value,
  description: `${name}: given by ${variable}`,
  stop: async () => undefined,
});

/** The root of the repository, relative to the bundle of this program. */
const ROOT = resolve(__dirname, '../..');

/**
 * Starts the engines that are not given, and restarts one that exits unexpectedly. If one fails to start, the others
 * are stopped again.
 */
export async function startEngines(
  env: Variables,
  dataDirectory: string,
  table: ProcessTable,
): Promise<readonly ClusterEngine[]> {
  const at: EngineContext = { dataDirectory, table };
  const starts = await Promise.allSettled([eventStore(env, at), kafka(env, at), postgres(env, at)]);
  const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = starts.find((start) => start.status === 'rejected');
  if (!failed) return started;
  await Promise.all(started.map((engine) => engine.stop()));
  throw failed.reason;
}

interface EngineContext {
  readonly dataDirectory: string;
  readonly table: ProcessTable;
}

/** Callbacks that record an engine in the process table and log its unexpected exit. */
const watched = (name: string, table: ProcessTable) => ({
  started: ({ pid }: { readonly pid: number }): void => table.runs(name, pid),
  ended: (): void => {
    table.ended(name);
    process.stderr.write(`${JSON.stringify({ engine: name, msg: 'an engine ended and is started again' })}\n`);
  },
});

async function eventStore(env: Variables, { dataDirectory, table }: EngineContext): Promise<ClusterEngine> {
  if (env['ESDB_URL']) return given('ESDB_URL', env['ESDB_URL'], 'EventStoreDB');
  const port = await freePort();
  const { reported, stop } = await startHelper<{ connectionString: string; pid: number }>({
    file: join(ROOT, 'dist/cluster/event-store.js'),
    args: ['--port', String(port), '--file', join(dataDirectory, 'event-store.log')],
    ...watched('event-store', table),
  });
  return {
    variable: 'ESDB_URL',
    value: reported.connectionString,
    description: 'EventStoreDB: test server, not the product',
    stop,
  };
}

async function kafka(env: Variables, { dataDirectory, table }: EngineContext): Promise<ClusterEngine> {
  if (env['KAFKA_BROKERS']) return given('KAFKA_BROKERS', env['KAFKA_BROKERS'], 'Kafka');
  const { reported, stop } = await startHelper<{ brokers: string; name: string; pid: number }>({
    file: join(ROOT, 'deploy/kafka/local.mjs'),
    args: ['--while-stdin', '--data', join(dataDirectory, 'kafka')],
    ...watched('kafka', table),
  });
  return { variable: 'KAFKA_BROKERS', value: reported.brokers, description: reported.name, stop };
}

/** Starts Debian's PostgreSQL unless one is given. Rejects if neither exists. */
async function postgres(env: Variables, { dataDirectory, table }: EngineContext): Promise<ClusterEngine> {
  if (env['DATABASE_URL']) return given('DATABASE_URL', env['DATABASE_URL'], 'PostgreSQL');
  const { url, name, supervised } = await startKeptPostgres(join(dataDirectory, 'postgres'));
  return { variable: 'DATABASE_URL', value: url, description: name, stop: supervised(watched('postgres', table)) };
}
