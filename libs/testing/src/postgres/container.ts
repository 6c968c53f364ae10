import type { PostgresServer } from './index';
import { serverVersion } from './ask';
import { freePort } from '../free-port';

const IMAGE = 'docker.io/library/postgres:17';
const PORT = 5432;
const STARTUP_MS = 180_000;
const READY_MS = 60_000;

/** PostgreSQL in a container, at a port that stays the same when it restarts. */
export async function startContainer(): Promise<PostgresServer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const port = await freePort();
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ POSTGRES_USER: 'ponte', POSTGRES_PASSWORD: 'ponte', POSTGRES_DB: 'ponte' })
    .withExposedPorts({ container: PORT, host: port })
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(STARTUP_MS)
    .start();
  const url = `postgres://ponte:ponte@${container.getHost()}:${port}/ponte`;
  const version = await serverVersion(url, READY_MS);
  return {
    url,
    name: `PostgreSQL ${version} (${IMAGE})`,
    // The first process of a container cannot be killed from inside. When its children are killed, it recovers as after
    // a crash.
    kill: async () => {
      await container.exec(['sh', '-c', 'kill -9 -1']).catch(() => undefined);
    },
    restart: async () => {
      await container.restart({ timeout: 0 });
      await serverVersion(url, READY_MS);
    },
    stop: async () => {
      await container.stop();
    },
  };
}
