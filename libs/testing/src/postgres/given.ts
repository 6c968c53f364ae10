import type { PostgresServer } from './index';
import { ask } from './ask';

/** Creates a separate database on an existing server, whose user must be allowed to do so. */
export async function borrowDatabase(url: string, database: string): Promise<PostgresServer> {
  const version = await ask(url, 'SHOW server_version');
  await ask(url, `CREATE DATABASE ${database}`);
  const own = new URL(url);
  own.pathname = `/${database}`;
  const cut = async (): Promise<void> => {
    await ask(url, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '${database}'`);
  };
  return {
    url: own.toString(),
    name: `PostgreSQL ${version} of DATABASE_URL (${own.host})`,
    kill: cut,
    restart: async () => undefined,
    stop: async () => {
      await ask(url, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
    },
  };
}
