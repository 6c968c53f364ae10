import type { Lease, LeaseGrant } from '@ponte/event-sourcing';
import type { Timers } from './timers';

/** A repeated job that runs on one process at a time. */
interface LeasedJob {
  /** Used in logs and metrics. */
  readonly name: string;
  /** Milliseconds between the end of a run and the next one. */
  readonly everyMs: number;
  /** The signal aborts when the process stops or the lease is lost. */
  readonly run: (grant: LeaseGrant, signal: AbortSignal) => Promise<void>;
}

/** Makes a value for each key, but only once for the same key in a row. */
function forLatest<K, V>(make: (key: K) => V): (key: K) => V {
  let latest: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (latest?.key !== key) latest = { key, value: make(key) };
    return latest.value;
  };
}

/**
 * Jobs that share one lease. The lease is acquired before the first run, kept between runs, acquired again after it was
 * lost or could not be acquired, and released when the process stops.
 */
export class LeasedJobs {
  private held: LeaseGrant | undefined;
  private acquiring: Promise<LeaseGrant | undefined> | undefined;

  constructor(
    private readonly lease: Lease,
    private readonly leaseName: string,
    private readonly timers: Timers,
    /** Called each time this process has lost the lease. */
    private readonly whenLost: () => void = () => undefined,
  ) {
    timers.onStop(() => this.stop());
  }

  every({ name, everyMs, run }: LeasedJob): void {
    // Combined once and not for each run: Node before version 24 keeps each one as long as its sources.
    const during = forLatest(({ lost }: LeaseGrant) => AbortSignal.any([this.timers.stopping, lost]));
    this.timers.every(name, everyMs, async () => {
      const grant = await this.granted();
      if (grant) await run(grant, during(grant));
    });
  }

  /** Whether this process holds the lease now. */
  holds(): boolean {
    return this.held !== undefined && !this.held.lost.aborted && !this.timers.stopping.aborted;
  }

  /**
   * Runs work under a fence above this process's own, so that a job in progress cannot overwrite it, and then releases
   * the lease. The lease is acquired again at once instead of at the next run: an operator may have further actions
   * that only the holder can execute. False if this process does not hold the lease.
   */
  async supersede(work: (fence: number) => Promise<void>): Promise<boolean> {
    const grant = this.held;
    if (!grant || !this.holds()) return false;
    await work(grant.fence + 1);
    this.held = undefined;
    await grant.release();
    this.granted().catch(() => undefined);
    return true;
  }

  /** Releases the lease, even if it is granted while the process stops. */
  private async stop(): Promise<void> {
    const acquired = await this.acquiring?.catch(() => undefined);
    await (acquired ?? this.held)?.release();
    this.held = undefined;
  }

  private async granted(): Promise<LeaseGrant | undefined> {
    const { stopping } = this.timers;
    if (stopping.aborted) return undefined;
    if (this.held && !this.held.lost.aborted) return this.held;
    if (this.held) {
      this.held = undefined;
      this.whenLost();
    }
    this.acquiring ??= this.acquire();
    const grant = await this.acquiring;
    return stopping.aborted || grant?.lost.aborted ? undefined : grant;
  }

  /** Does not keep a failed attempt, so that the next run tries again. */
  private async acquire(): Promise<LeaseGrant | undefined> {
    try {
      this.held = await this.lease.acquire(this.leaseName, this.timers.stopping);
      return this.held;
    } finally {
      this.acquiring = undefined;
    }
  }
}
