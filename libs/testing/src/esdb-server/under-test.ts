import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { EsdbServer } from './server';

/** The server of a suite: the test server, or the EventStoreDB of `ESDB_URL`. */
export interface EsdbUnderTest {
  readonly connectionString: string;
  /** The test server, for faults that EventStoreDB cannot simulate. */
  readonly server?: EsdbServer;
  /** Suspends the process of the server: it accepts connections but never responds. */
  freeze(): Promise<void>;
  /** Resumes it. */
  thaw(): Promise<void>;
  /** Kills the server; `start` starts it again. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What a suite needs from EventStoreDB besides appends, reads and subscriptions. */
type EsdbNeeds = 'nothing' | 'restarts';

/**
 * Runs a suite on the test server and, if `ESDB_URL` is set, on that EventStoreDB. To kill or freeze it, the command in
 * `ESDB_RESTART` is called with `kill`, `start`, `freeze` or `thaw` and the `host:port` of a node. A skipped suite
 * prints one line.
 */
export function describeEsdb(
  name: string,
  needs: EsdbNeeds,
  suite: (open: () => Promise<EsdbUnderTest>) => void,
): void {
  describe(`${name}, on the test server`, () => suite(onTestServer));
  const [url, command] = [process.env['ESDB_URL'], process.env['ESDB_RESTART']];
  if (url && (needs === 'nothing' || command))
    describe(`${name}, on the product`, () => suite(async () => realServer(url, command)));
  else
    process.stderr.write(
      `EventStoreDB, ${name}: not run on the product; set ` +
        `${url ? 'ESDB_RESTART' : 'ESDB_URL'}${needs === 'restarts' && !url ? ' and ESDB_RESTART' : ''}\n`,
    );
}

async function onTestServer(): Promise<EsdbUnderTest> {
  const { startEsdbServer } = await import('./server');
  const server = await startEsdbServer();
  return {
    connectionString: server.connectionString,
    server,
    freeze: async () => server.faults.silence(),
    thaw: () => server.faults.heal(),
    kill: () => server.faults.refuse(),
    start: () => server.restart(),
    stop: () => server.stop(),
  };
}

function realServer(url: string, command: string | undefined): EsdbUnderTest {
  const node = hostsOf(url)[0] ?? '';
  const ask = async (verb: string): Promise<void> => askNode(command, verb, node);
  return {
    connectionString: url,
    stop: async () => undefined,
    freeze: () => ask('freeze'),
    thaw: () => ask('thaw'),
    kill: () => ask('kill'),
    start: () => ask('start'),
  };
}

/** Runs the command of `ESDB_RESTART` for a node of EventStoreDB. */
export async function askNode(command: string | undefined, verb: string, node: string): Promise<void> {
  if (!command) throw new Error('ESDB_RESTART must name a command');
  await promisify(execFile)(command, [verb, node]);
}

/** `host:port` of each node in a connection string. */
export const hostsOf = (url: string): readonly string[] =>
  url
    .replace(/^[^/]*\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/?].*$/, '')
    .split(',')
    .map((host) => (host.includes(':') ? host : `${host}:2113`));
