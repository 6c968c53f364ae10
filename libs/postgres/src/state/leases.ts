import { randomUUID } from 'node:crypto';
import type { Lease, LeaseGrant } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import { withJitter } from '@ponte/concurrency';
import type { Postgres } from '../postgres';
import { ACQUIRE, INHERIT, NO_HOLDER, RELEASE, RENEW } from './lease-statements';

/** Times in milliseconds. A killed holder is replaced within `ttlMs + askMs`. */
export interface LeaseTimes {
  /** A lease expires this long after its last renewal. A short outage of the server must not cost holders theirs. */
  readonly ttlMs: number;
  readonly renewMs: number;
  /** How often a process tries to get a lease that it waits for. */
  readonly askMs: number;
  /** A holder stops this long before its lease expires, so that clocks may differ a little. */
  readonly marginMs: number;
}

export const LEASE_TIMES: LeaseTimes = { ttlMs: 8_000, renewMs: 2_000, askMs: 500, marginMs: 500 };

interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly settle: (grant: LeaseGrant | undefined) => void;
}
interface Holding {
  readonly name: string;
  readonly holder: string;
  readonly lost: AbortController;
  until: number;
  renewed: number;
  end: NodeJS.Timeout | undefined;
}

/**
 * Leases stored as rows and timed by the database's clock. All leases of a process are renewed with one statement and
 * requested with another. A holder that cannot renew in time considers its lease lost before the database does. A
 * paused process finds out when it continues, and what it writes until then has an old fence.
 */
export class PostgresLeases implements Lease {
  private readonly requests = new Set<LeaseRequest>();
  private readonly holdings = new Map<string, Holding>();
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private again = false;
  private closed = false;
  private inherited = false;

  /**
   * `instance` must be unique among running processes. A process that restarts under the same name need not wait for
   * the leases of its predecessor.
   */
  constructor(
    private readonly postgres: Postgres,
    private readonly times: LeaseTimes = LEASE_TIMES,
    private readonly instance = '',
  ) {}

  acquire(name: string, signal: AbortSignal): Promise<LeaseGrant | undefined> {
    if (signal.aborted || this.closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const onAbort = (): void => request.settle(undefined);
      const request: LeaseRequest = {
        name,
        holder: `${this.prefix}${randomUUID()}`,
        settle: (grant) => {
          this.requests.delete(request);
          signal.removeEventListener('abort', onAbort);
          resolve(grant);
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.requests.add(request);
      this.startRound();
    });
  }

  /** Releases all leases and grants no more. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    for (const request of this.requests) request.settle(undefined);
    await this.round;
    await Promise.all([...this.holdings.values()].map((holding) => this.release(holding)));
  }

  private startRound(): void {
    if (this.closed) return;
    if (this.round) {
      this.again = true;
      return;
    }
    clearTimeout(this.timer);
    this.round = this.turn().finally(() => {
      this.round = undefined;
      if (this.closed) return;
      if (this.again) this.startRound();
      else if (this.requests.size > 0) this.timer = setTimeout(() => this.startRound(), withJitter(this.times.askMs));
      else if (this.holdings.size > 0) this.timer = setTimeout(() => this.startRound(), this.times.renewMs);
    });
  }

  private get prefix(): string {
    return this.instance === '' ? '' : `${this.instance}/`;
  }

  private async turn(): Promise<void> {
    this.again = false;
    try {
      if (!this.inherited && this.prefix !== '') await this.postgres.query(INHERIT, [this.prefix, ...NO_HOLDER]);
      this.inherited = true;
      await this.renew();
      await this.ask();
    } catch (error) {
      this.postgres.options.logger.warn(
        { leases: this.holdings.size, error: safeError(error) },
        'leases could not be renewed or acquired; this will be retried',
      );
    }
  }

  private async renew(): Promise<void> {
    const sent = performance.now();
    const due = [...this.holdings.values()].filter(({ renewed }) => sent - renewed >= this.times.renewMs * 0.9);
    if (due.length === 0) return;
    const rows = await this.postgres.query<{ holder: string }>(
      RENEW,
      [due.map(({ name }) => name), due.map(({ holder }) => holder), this.times.ttlMs],
      0,
    );
    const kept = new Set(rows.map(({ holder }) => holder));
    for (const holding of due) {
      if (kept.has(holding.holder)) this.keep(holding, sent);
      else this.lose(holding);
    }
  }

  /** Requests only the first of each name, since a statement can claim a name only once. */
  private async ask(): Promise<void> {
    const first = new Map([...this.requests].reverse().map((request) => [request.name, request]));
    if (first.size === 0) return;
    const batch = [...first.values()];
    const sent = performance.now();
    const rows = await this.postgres.query<{ holder: string; fence: number }>(
      ACQUIRE,
      [batch.map(({ name }) => name), batch.map(({ holder }) => holder), this.times.ttlMs],
      0,
    );
    for (const { holder, fence } of rows) {
      const request = batch.find((one) => one.holder === holder);
      if (request) this.grant(request, fence, sent);
    }
  }

  private grant(request: LeaseRequest, fence: number, sent: number): void {
    const { name, holder } = request;
    const holding: Holding = { name, holder, lost: new AbortController(), until: 0, renewed: sent, end: undefined };
    this.holdings.set(holder, holding);
    this.keep(holding, sent);
    if (this.requests.has(request))
      request.settle({ fence, lost: holding.lost.signal, release: () => this.release(holding) });
    // Its caller aborted while the statement was in progress.
    else if (!this.closed) void this.release(holding);
  }

  private keep(holding: Holding, sent: number): void {
    holding.renewed = sent;
    holding.until = sent + this.times.ttlMs - this.times.marginMs;
    clearTimeout(holding.end);
    holding.end = setTimeout(() => this.lose(holding), Math.max(0, holding.until - performance.now()));
  }

  private lose(holding: Holding): void {
    clearTimeout(holding.end);
    if (!this.holdings.delete(holding.holder)) return;
    this.postgres.options.logger.warn({ lease: holding.name }, 'a lease was lost');
    holding.lost.abort();
  }

  /** If the database cannot be reached, the lease expires by itself. */
  private async release(holding: Holding): Promise<void> {
    clearTimeout(holding.end);
    if (!this.holdings.delete(holding.holder)) return;
    try {
      await this.postgres.query(RELEASE, [holding.name, holding.holder, ...NO_HOLDER]);
    } catch (error) {
      this.postgres.options.logger.warn(
        { lease: holding.name, error: safeError(error) },
        'a lease could not be released; it will expire',
      );
    }
    this.startRound();
  }
}
