import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { EsdbServer } from './server';

/** A server that a suite runs on: the test server, or the product that `ESDB_URL` names. */
export interface EsdbUnderTest {
  readonly connectionString: string;
  /** The test server, for faults that cannot be asked of the product. */
  readonly server?: EsdbServer;
  /** Stops the process of the server: it accepts connections and answers nothing. */
  freeze(): Promise<void>;
  /** Lets it go on. */
  thaw(): Promise<void>;
  /** Ends the server at once; `start` brings it back. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What a suite asks of the product beside appends, reads and subscriptions. */
export type EsdbNeeds = 'nothing' | 'restarts';

/**
 * Runs a suite on the test server and, when `ESDB_URL` is set, on the product. Kills and freezes of the product are
 * done by the command that `ESDB_RESTART` names: it gets `kill`, `start`, `freeze` or `thaw`, and `host:port` of a
 * node. A suite that is skipped says so in one line.
 */
export function describeEsdb(
  name: string,
  needs: EsdbNeeds,
  suite: (open: () => Promise<EsdbUnderTest>) => void,
): void {
  describe(`${name}, on the test server`, () => suite(onTestServer));
  const [url, command] = [process.env['ESDB_URL'], process.env['ESDB_RESTART']];
  if (url && (needs === 'nothing' || command))
    describe(`${name}, on the product`, () => suite(async () => onProduct(url, command)));
  else
    process.stderr.write(
      `EventStoreDB, ${name}: not run on the product; set ${url ? 'ESDB_RESTART' : 'ESDB_URL'}${needs === 'restarts' && !url ? ' and ESDB_RESTART' : ''}\n`,
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

function onProduct(url: string, command: string | undefined): EsdbUnderTest {
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

/** Has the command of `ESDB_RESTART` do something to a node of the product. */
export async function askNode(command: string | undefined, verb: string, node: string): Promise<void> {
  if (!command) throw new Error('ESDB_RESTART does not name a command');
  await promisify(execFile)(command, [verb, node]);
}

/** `host:port` of each node that a connection string names. */
export const hostsOf = (url: string): readonly string[] =>
  url
    .replace(/^[^/]*\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/?].*$/, '')
    .split(',')
    .map((host) => (host.includes(':') ? host : `${host}:2113`));
