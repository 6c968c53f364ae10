import { setMaxListeners } from 'node:events';
import { pause, retry } from '@ponte/concurrency';
import { safeError } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import type { EndpointConcurrencyLimiter } from './endpoint-concurrency-limiter';
import { MAX_IN_FLIGHT } from './endpoint-concurrency-limiter';
import type { Partners } from './limits/partners';

/** Concurrent requests of the process. */
const MAX_TOTAL = 1_024;
/** From this number of requests on, no partner gets more than its share, so none uses more than half. */
const CROWDED = MAX_TOTAL / 2;
/**
 * The requests that one partner may have in any case: while others use no more than their share, there is room for it.
 */
const SHARE = MAX_TOTAL / 8;
/** From this number of its requests on, each endpoint of a partner gets one at a time. */
const MANY = MAX_TOTAL / 4;
/** How long running attempts may take to finish at shutdown before they are aborted. */
const STOP_GRACE_MS = 2_000;

/** The running attempts of this process, and the signal that aborts them at shutdown. */
export class WorkInProgress {
  private readonly running = new Set<Promise<void>>();
  /** The number of places that are taken, in all and by partner. */
  private all = 0;
  private readonly ofPartner = new Map<string, number>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly logger: Logger,
    private readonly partners: Pick<Partners, 'of'>,
  ) {
    // Every retried operation listens to this signal, so Node's warning about a listener leak would be wrong.
    setMaxListeners(0, this.signal);
  }

  get isEmpty(): boolean {
    return this.running.size === 0;
  }

  /** Whether another request to the endpoint may be sent now. */
  mayStart(limiter: EndpointConcurrencyLimiter, nowMs: number): boolean {
    return limiter.mayStart(nowMs, this.ceiling(limiter.accountId));
  }

  /** Waits for a place for a first attempt and returns the function that frees it; undefined when it gets none. */
  async place(limiter: EndpointConcurrencyLimiter, nowMs: number): Promise<(() => void) | undefined> {
    const { accountId } = limiter;
    let free: (() => void) | undefined;
    await limiter.place(nowMs, this.ceiling(accountId), () => {
      free = this.take(accountId);
    });
    return free;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Takes a place for a request of the account. Returns the function that frees it; call it once. */
  take(accountId: string): () => void {
    // The partner may become known meanwhile; the place is freed where it was counted.
    const partner = this.partners.of(accountId);
    this.count(partner, 1);
    return () => this.count(partner, -1);
  }

  /** `ended` is called when the work has succeeded or failed; the caller handles a failure. */
  add(work: Promise<unknown>, ended: () => void): void {
    const end = (): void => {
      this.running.delete(running);
      ended();
    };
    const running: Promise<void> = work.then(end, end);
    this.running.add(running);
  }

  /** Retries idempotent work until it succeeds; rejects only when this process stops. */
  persistently<T>(work: () => Promise<T>): Promise<T> {
    return retry(work, {
      signal: this.signal,
      onRetry: (error) =>
        this.logger.error({ error: safeError(error).name }, 'a webhook delivery could not be recorded; retrying'),
    });
  }

  /** Resolves when no attempt is running. `close` aborts the requests that did not finish in time. */
  async stop(close: () => Promise<void>): Promise<void> {
    const ended = new AbortController();
    const graceful = Promise.all(this.running).finally(() => ended.abort());
    await Promise.race([graceful, pause(STOP_GRACE_MS, ended.signal)]);
    this.stopping.abort();
    await close();
    await Promise.all(this.running);
  }

  /** The number of concurrent requests to one endpoint of the account that the process can spare. */
  private ceiling(accountId: string): number {
    const own = this.ofPartner.get(this.partners.of(accountId)) ?? 0;
    if (this.all >= MAX_TOTAL || (this.all >= CROWDED && own >= SHARE)) return 0;
    return own >= MANY ? 1 : MAX_IN_FLIGHT;
  }

  private count(partner: string, change: 1 | -1): void {
    this.all += change;
    const count = (this.ofPartner.get(partner) ?? 0) + change;
    if (count === 0) this.ofPartner.delete(partner);
    else this.ofPartner.set(partner, count);
  }
}
