import { spawnSync } from 'node:child_process';

/** A real EventStoreDB or KurrentDB that a suite may use. */
export interface RealEsdb {
  readonly connectionString: string;
  /** A description for output: the version, or the setting that names it. */
  readonly name: string;
  stop(): Promise<void>;
}

const IMAGE = 'docker.io/eventstore/eventstore:24.10.4';
const PORT = 2113;
const STARTUP_MS = 180_000;
const PROBE_MS = 30_000;

const PROBE =
  "require('testcontainers').getContainerRuntimeClient().then(() => process.exit(0), () => process.exit(1))";

/**
 * Whether containers can be started here. Synchronous, because a suite must know before its tests are defined. The
 * existence of the program `docker` is not enough, since its engine may be missing.
 */
export const hasContainerRuntime = (): boolean =>
  spawnSync(process.execPath, ['-e', PROBE], { stdio: 'ignore', timeout: PROBE_MS }).status === 0;

/** The server of `ESDB_URL`, or one in a container. */
export async function startRealEsdb(url = process.env['ESDB_URL']): Promise<RealEsdb> {
  if (url)
    return { connectionString: url, name: `the server of ESDB_URL (${hostOf(url)})`, stop: async () => undefined };
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true' })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCode(204))
    .withStartupTimeout(STARTUP_MS)
    .start();
  return {
    connectionString: `esdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`,
    name: IMAGE,
    stop: async () => {
      await container.stop();
    },
  };
}

/** Host and port without user and password. */
const hostOf = (url: string): string =>
  url
    .replace(/^[^/]*\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/?].*$/, '');
