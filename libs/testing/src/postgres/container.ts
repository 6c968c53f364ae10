import type { PostgresServer } from './index';
import { containers } from '../containers';
import { freePort } from '../free-port';
import { serverVersion } from './ask';

const IMAGE = 'docker.io/library/postgres:17';
const READY_MS = 60_000;

/** PostgreSQL in a container, at a port that stays the same when it restarts. */
export async function startContainer(): Promise<PostgresServer> {
  const port = await freePort();
  const { startPostgres } = await containers();
  const container = await startPostgres({
    image: IMAGE,
    port,
    environment: { POSTGRES_USER: 'ponte', POSTGRES_PASSWORD: 'ponte', POSTGRES_DB: 'ponte' },
  });
  const url = `postgres://ponte:ponte@${container.host}:${port}/ponte`;
  const version = await serverVersion(url, READY_MS);
  return {
    url,
    name: `PostgreSQL ${version} (${IMAGE})`,
    // The first process of a container cannot be killed from inside. When its children are killed, it recovers as after
    // a crash.
    kill: () => container.run(['sh', '-c', 'kill -9 -1']).catch(() => undefined),
    restart: async () => {
      await container.restart();
      await serverVersion(url, READY_MS);
    },
    stop: () => container.stop(),
  };
}
