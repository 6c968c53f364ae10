/** A real EventStoreDB or KurrentDB that a suite may use. */
export interface RealEsdb {
  readonly connectionString: string;
  /** What it is, in words: a version, or where it was given. */
  readonly name: string;
  stop(): Promise<void>;
}

const IMAGE = 'docker.io/eventstore/eventstore:24.10';
const PORT = 2113;
const STARTUP_MS = 180_000;

/**
 * The one that `ESDB_URL` names, else one in a container when there is a container runtime, else undefined. Asking for the
 * runtime takes milliseconds when there is none.
 */
export async function findRealEsdb(url = process.env['ESDB_URL']): Promise<RealEsdb | undefined> {
  if (url) return { connectionString: url, name: `the server of ESDB_URL (${hostOf(url)})`, stop: async () => undefined };
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  try {
    await getContainerRuntimeClient();
  } catch {
    return undefined;
  }
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true' })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCode(204))
    .withStartupTimeout(STARTUP_MS)
    .start();
  return {
    connectionString: `esdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`,
    name: IMAGE,
    stop: async () => { await container.stop(); },
  };
}

/** Without user and password. */
const hostOf = (url: string): string => url.replace(/^[^/]*\/\//, '').replace(/^[^@/]*@/, '').replace(/[/?].*$/, '');
