import type { Server } from '@grpc/grpc-js';
import { ServerCredentials } from '@grpc/grpc-js';
import { MAX_APPEND_BYTES } from './appends';
import { EsdbFaults } from './faults';
import { EsdbLog } from './log';
import type { EsdbNodeState, NodeMoods } from './node';
import { soleNode } from './node';
import type { CallCounts } from './services';
import { createServices } from './services';
import type { Subscriptions } from './subscriptions';
import { WireProxy } from './wire-proxy';

export interface EsdbServerOptions {
  /** The port on the loopback interface; any free one by default. */
  readonly port?: number;
  /** File of the log, synced before every reply; without it, the log is in memory. */
  readonly file?: string;
  /** PEM texts; without them connections are not encrypted. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** Passwords by user; without it, everyone has full access. */
  readonly users?: Readonly<Record<string, string>>;
  /** False lets the server listen on the port itself, without the proxy for faults, which is faster. */
  readonly faulty?: boolean;
  /** The largest event in bytes, as configured by an operator. */
  readonly maxEventBytes?: number;
  /** How far the server's clock is ahead of this process, in milliseconds; negative when it is behind. */
  readonly clockAheadMs?: number;
  /** Set for a node of a cluster: its state, and the log that the nodes share. */
  readonly member?: {
    readonly node: EsdbNodeState;
    readonly log: EsdbLog;
    readonly shown: () => number;
    readonly commits: () => boolean;
  };
}

export interface EsdbServer {
  readonly port: number;
  /** Connection string for clients, which must add credentials and the CA file. */
  readonly connectionString: string;
  readonly faults: EsdbFaults;
  readonly calls: Readonly<CallCounts>;
  /** Closes all connections and restarts on the same port. A log with a file is read again. */
  restart(): Promise<void>;
  /** Like `restart`, but keeps only the first events: a restored backup, or with 0 a wiped database. */
  restore(events: number): Promise<void>;
  /** Removes events that stream metadata hides; revisions keep their gaps. */
  scavenge(): void;
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * A test server with the part of EventStoreDB's protocol that an event store needs, and with its observed behaviour:
 * append, batch append, reads in both directions, subscriptions with filters and checkpoints, deletion and truncation
 * of streams, gossip.
 */
export async function startEsdbServer(options: EsdbServerOptions = {}): Promise<EsdbServer> {
  const faulty = options.faulty ?? true;
  const subscriptions: Subscriptions = new Map();
  const moods: NodeMoods = { notReady: 0, unauthenticated: 0 };
  const calls: CallCounts = { append: 0, batchAppend: 0, reads: 0, subscriptions: 0, sentBytes: 0 };
  let log = options.member?.log ?? (await EsdbLog.open(options.file));
  const now = (): number => Date.now() + (options.clockAheadMs ?? 0);
  let inner = 0;
  let server: Server;
  const wire = new WireProxy(() => inner);
  const faults = new EsdbFaults(wire, subscriptions, moods);
  const port = (): number => (faulty ? wire.port : inner);
  const node = options.member?.node ?? soleNode(port);

  const serve = async (): Promise<void> => {
    const current = log;
    server = createServices({
      log: current,
      view: current.view(options.member?.shown),
      now,
      kept: () => faults.onKept(),
      subscriptions,
      users: options.users,
      calls,
      node,
      moods,
      maxEventBytes: options.maxEventBytes ?? MAX_APPEND_BYTES,
      commits: options.member?.commits ?? (() => true),
    });
    inner = await bind(server, faulty ? 0 : inner || (options.port ?? 0), credentialsOf(options));
  };
  await serve();
  if (faulty) await wire.listen(options.port ?? 0);
  const down = async (): Promise<void> => {
    await wire.refuse();
    server.forceShutdown();
    subscriptions.clear();
    if (!options.member) await log.close();
  };
  const up = async (): Promise<void> => {
    await serve();
    if (faulty) await faults.heal();
  };
  return {
    port: port(),
    connectionString: `esdb://${LOOPBACK}:${port()}?tls=${options.tls !== undefined}`,
    faults,
    calls,
    restart: async () => {
      await down();
      if (options.file !== undefined) log = await EsdbLog.open(options.file);
      await up();
    },
    restore: async (events) => {
      await down();
      log = log.backup(events);
      await up();
    },
    scavenge: () => log.scavenge(now()),
    stop: down,
  };
}

const credentialsOf = ({ tls }: EsdbServerOptions): ServerCredentials => {
  if (!tls) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(null, [
    { cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) },
  ]);
};

function bind(server: Server, port: number, credentials: ServerCredentials): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(`${LOOPBACK}:${port}`, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
}
