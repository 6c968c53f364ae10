import { EsdbLog } from './log';
import type { EsdbNodeState, Member } from './node';
import type { EsdbServer } from './server';
import { startEsdbServer } from './server';

/** How long things take in a cluster, in milliseconds, as the product was seen to need them. */
export interface ClusterTimes {
  /** From the freezing of a leader until the others hold it for dead and elect another. */
  readonly freezeNoticedMs: number;
  /** From the death of a leader until another is elected. */
  readonly deathNoticedMs: number;
  /** A new leader is not ready for so long. */
  readonly notReadyMs: number;
  /** A leader that was frozen claims to lead for so long when it comes back, then ends itself. */
  readonly claimsMs: number;
}

const TIMES: ClusterTimes = { freezeNoticedMs: 5_200, deathNoticedMs: 1_000, notReadyMs: 1_000, claimsMs: 1_500 };

export interface EsdbCluster {
  readonly connectionString: string;
  readonly nodes: readonly EsdbServer[];
  /** Index of the node that leads; undefined between two. */
  leader(): number | undefined;
  /** The node's process is stopped: it accepts connections and answers nothing. */
  freeze(node: number): void;
  /** It goes on. One that led claims to lead for a while, then ends itself and is started again. */
  thaw(node: number): void;
  kill(node: number): Promise<void>;
  start(node: number): Promise<void>;
  /** The node shows so many events fewer than there are. */
  lag(node: number, events: number): void;
  stop(): Promise<void>;
}

interface Node { state: 'up' | 'frozen' | 'down'; lag: number; server?: EsdbServer; believesToLead: boolean; readyAt: number }

const LOOPBACK = '127.0.0.1';

/** Three test servers over one log, with an election when their leader fails. */
export async function startEsdbCluster(options: { readonly times?: Partial<ClusterTimes>; readonly nodes?: number } = {}): Promise<EsdbCluster> {
  const times = { ...TIMES, ...options.times };
  const log = await EsdbLog.open();
  const nodes: Node[] = Array.from({ length: options.nodes ?? 3 }, () => ({ state: 'up', lag: 0, believesToLead: false, readyAt: 0 }));
  const timers = new Set<NodeJS.Timeout>();
  let leader: number | undefined = 0;
  /** Whom gossip still calls the leader, though it is none. */
  let rumoured: number | undefined = 0;
  let isStopped = false;

  const later = (ms: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!isStopped) work();
    }, ms);
    timers.add(timer);
  };
  const endpoint = (at: number) => ({ host: LOOPBACK, port: nodes[at]?.server?.port ?? 0 });
  const stateOf = (at: number, node: Node): EsdbNodeState => ({
    isReady: () => performance.now() >= node.readyAt,
    leaderElsewhere: () => (at === rumoured || node.believesToLead || rumoured === undefined ? undefined : endpoint(rumoured)),
    members: () => nodes.map((one, index): Member => ({
      ...endpoint(index), isLeader: node.believesToLead ? index === at : index === rumoured, isAlive: one.state === 'up' || index === rumoured,
    })),
  });
  for (const [at, node] of nodes.entries()) {
    node.server = await startEsdbServer({ member: { log, node: stateOf(at, node), shown: () => log.length - node.lag, commits: () => leader !== undefined && !node.believesToLead } });
  }

  const elect = (): void => {
    const next = nodes.findIndex(({ state }) => state === 'up');
    leader = rumoured = next < 0 ? undefined : next;
    const node = nodes[next];
    if (!node) return;
    node.lag = 0;
    node.readyAt = performance.now() + times.notReadyMs;
  };
  const loseLeader = (noticedMs: number): void => {
    leader = undefined;
    later(noticedMs, elect);
  };
  const serverOf = (at: number): EsdbServer => {
    const server = nodes[at]?.server;
    if (!server) throw new RangeError(`there is no node ${at}`);
    return server;
  };
  const cluster: EsdbCluster = {
    nodes: nodes.map((_, at) => serverOf(at)),
    connectionString: `esdb://${nodes.map((_, at) => `${LOOPBACK}:${endpoint(at).port}`).join(',')}?tls=false`,
    leader: () => leader,
    freeze(at) {
      const node = nodes[at] as Node;
      node.state = 'frozen';
      // What waits in its sockets would reach a leader that leads no longer.
      node.believesToLead = leader === at;
      serverOf(at).faults.silence();
      if (leader === at) loseLeader(times.freezeNoticedMs);
    },
    thaw(at) {
      const node = nodes[at] as Node;
      const claimed = node.believesToLead;
      node.state = 'up';
      void serverOf(at).faults.heal();
      if (!claimed) return;
      later(times.claimsMs, () => void cluster.kill(at).then(() => cluster.start(at)));
    },
    async kill(at) {
      const node = nodes[at] as Node;
      node.state = 'down';
      node.believesToLead = false;
      if (leader === at) loseLeader(times.deathNoticedMs);
      await serverOf(at).faults.refuse();
    },
    async start(at) {
      const node = nodes[at] as Node;
      node.state = 'up';
      node.readyAt = performance.now() + times.notReadyMs;
      await serverOf(at).restart();
      if (leader === undefined && nodes.every(({ state }) => state !== 'frozen')) elect();
    },
    lag(at, events) { (nodes[at] as Node).lag = events; },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(cluster.nodes.map((server) => server.stop()));
    },
  };
  return cluster;
}
