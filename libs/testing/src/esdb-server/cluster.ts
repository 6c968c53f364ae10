import { EsdbLog } from './log';
import type { Endpoint, EsdbNodeState, Member } from './node';
import type { EsdbServer } from './server';
import { startEsdbServer } from './server';

/** How long things take in a cluster, in milliseconds, as the product was seen to need them. */
export interface ClusterTimes {
  /** From the freezing of a leader until the others hold it for dead and elect another. */
  readonly freezeNoticedMs: number;
  /** From the death of a leader until another is elected. */
  readonly deathNoticedMs: number;
  /** How long a new leader may take to be ready. */
  readonly notReadyMs: number;
  /** How long a leader that was frozen still claims to lead when it comes back; then it ends itself. */
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

interface Node {
  state: 'up' | 'frozen' | 'down';
  lag: number;
  server?: EsdbServer;
  believesToLead: boolean;
  readyAt: number;
}

const LOOPBACK = '127.0.0.1';

/** Three test servers over one log, with an election when their leader fails. */
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
  /** Whom gossip calls the leader; a frozen one for a while, though it leads no longer. */
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
    // What waits in its sockets reaches a leader that leads no longer.
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
    if (!server) throw new RangeError(`there is no node ${at}`);
    return server;
  }
}
