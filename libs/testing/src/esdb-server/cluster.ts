import { EsdbLog } from './log';
import type { Endpoint, EsdbNodeState, Member } from './node';
import type { EsdbServer } from './server';
import { startEsdbServer } from './server';

/** Durations in a cluster in milliseconds, as observed with EventStoreDB. */
export interface ClusterTimes {
  /** From the freezing of a leader until the others consider it dead and elect another. */
  readonly freezeNoticedMs: number;
  /** From the death of a leader until another is elected. */
  readonly deathNoticedMs: number;
  /** How long a new leader may take to be ready. */
  readonly notReadyMs: number;
  /** How long a frozen leader still claims to lead after it continues, before it ends itself. */
  readonly claimsMs: number;
}

const TIMES: ClusterTimes = { freezeNoticedMs: 5_200, deathNoticedMs: 1_000, notReadyMs: 1_000, claimsMs: 1_500 };

export interface EsdbCluster {
  readonly connectionString: string;
  readonly nodes: readonly EsdbServer[];
  /** Index of the leading node; undefined during an election. */
  leader(): number | undefined;
  /** Simulates a stopped process: the node accepts connections and never responds. */
  freeze(node: number): void;
  /** Lets the node continue. A former leader claims to lead for a while, then ends itself and is restarted. */
  thaw(node: number): void;
  kill(node: number): Promise<void>;
  start(node: number): Promise<void>;
  /** Makes the node lag by a number of events. */
  lag(node: number, events: number): void;
  stop(): Promise<void>;
}

interface Node {
  state: 'up' | 'frozen' | 'down';
  lag: number;
  server?: EsdbServer;
  believesToLead: boolean;
  readyAt: number;
}

const LOOPBACK = '127.0.0.1';

/** Starts test servers (by default three) that share a log and elect a new leader when theirs fails. */
export async function startEsdbCluster(
  options: { readonly times?: Partial<ClusterTimes>; readonly nodes?: number } = {},
): Promise<EsdbCluster> {
  const cluster = new Cluster(await EsdbLog.open(), { ...TIMES, ...options.times }, options.nodes ?? 3);
  await cluster.begin();
  return cluster;
}

class Cluster implements EsdbCluster {
  private readonly members: Node[];
  private readonly timers = new Set<NodeJS.Timeout>();
  private leads: number | undefined = 0;
  /** The leader according to gossip: for a while still a frozen one that no longer leads. */
  private rumoured: number | undefined = 0;

  constructor(
    private readonly log: EsdbLog,
    private readonly times: ClusterTimes,
    count: number,
  ) {
    this.members = Array.from({ length: count }, () => ({ state: 'up', lag: 0, believesToLead: false, readyAt: 0 }));
  }

  async begin(): Promise<void> {
    for (const [at, node] of this.members.entries()) {
      const member = {
        log: this.log,
        node: this.stateOf(at, node),
        shown: () => this.log.length - node.lag,
        commits: () => this.leads !== undefined && !node.believesToLead,
      };
      node.server = await startEsdbServer({ member });
    }
  }

  get nodes(): readonly EsdbServer[] {
    return this.members.map((_, at) => this.serverOf(at));
  }

  get connectionString(): string {
    return `esdb://${this.members.map((_, at) => `${LOOPBACK}:${this.endpoint(at).port}`).join(',')}?tls=false`;
  }

  leader(): number | undefined {
    return this.leads;
  }

  freeze(at: number): void {
    const node = this.members[at] as Node;
    node.state = 'frozen';
    // Requests in its sockets will reach a leader that no longer leads.
    node.believesToLead = this.leads === at;
    this.serverOf(at).faults.silence();
    if (this.leads === at) this.loseLeader(this.times.freezeNoticedMs);
  }

  thaw(at: number): void {
    const node = this.members[at] as Node;
    node.state = 'up';
    void this.serverOf(at).faults.heal();
    if (node.believesToLead) this.later(this.times.claimsMs, () => void this.kill(at).then(() => this.start(at)));
  }

  async kill(at: number): Promise<void> {
    const node = this.members[at] as Node;
    node.state = 'down';
    node.believesToLead = false;
    if (this.leads === at) this.loseLeader(this.times.deathNoticedMs);
    await this.serverOf(at).faults.refuse();
  }

  async start(at: number): Promise<void> {
    const node = this.members[at] as Node;
    node.state = 'up';
    node.readyAt = performance.now() + this.times.notReadyMs;
    await this.serverOf(at).restart();
  }

  lag(at: number, events: number): void {
    (this.members[at] as Node).lag = events;
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.nodes.map((server) => server.stop()));
  }

  private stateOf(at: number, node: Node): EsdbNodeState {
    return {
      isReady: () => performance.now() >= node.readyAt,
      leaderElsewhere: () =>
        at === this.rumoured || node.believesToLead || this.rumoured === undefined
          ? undefined
          : this.endpoint(this.rumoured),
      members: () =>
        this.members.map((one, index): Member => ({
          ...this.endpoint(index),
          isLeader: node.believesToLead ? index === at : index === this.rumoured,
          isAlive: one.state === 'up' || index === this.rumoured,
        })),
    };
  }

  private loseLeader(noticedMs: number): void {
    this.leads = undefined;
    this.later(noticedMs, () => {
      const next = this.members.findIndex(({ state }) => state === 'up');
      this.leads = this.rumoured = next < 0 ? undefined : next;
      const node = this.members[next];
      if (!node) return this.loseLeader(noticedMs);
      node.lag = 0;
      node.readyAt = performance.now() + this.times.notReadyMs;
    });
  }

  private later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, ms);
    this.timers.add(timer);
  }

  private endpoint(at: number): Endpoint {
    return { host: LOOPBACK, port: this.members[at]?.server?.port ?? 0 };
  }

  private serverOf(at: number): EsdbServer {
    const server = this.members[at]?.server;
    if (!server) throw new RangeError(`node ${at} does not exist or is not started`);
    return server;
  }
}
