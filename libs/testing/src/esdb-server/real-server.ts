import { containers } from '../containers';

/** A real EventStoreDB or KurrentDB that a suite may use. */
export interface RealEsdb {
  readonly connectionString: string;
  /** A description for output: the version, or the setting that names it. */
  readonly name: string;
  stop(): Promise<void>;
}

const IMAGE = 'docker.io/eventstore/eventstore:24.10.4';
const PORT = 2113;

/** The server of `ESDB_URL`, or one in a container. */
export async function startRealEsdb(url = process.env['ESDB_URL']): Promise<RealEsdb> {
  if (url)
    return { connectionString: url, name: `the server of ESDB_URL (${hostOf(url)})`, stop: async () => undefined };
  const { startEventStore } = await containers();
  const { address, stop } = await startEventStore({
    image: IMAGE,
    port: PORT,
    environment: { EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true' },
  });
  return { connectionString: `esdb://${address}?tls=false`, name: IMAGE, stop };
}

/** Host and port without user and password. */
const hostOf = (url: string): string =>
  url
    .replace(/^[^/]*\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/?].*$/, '');
