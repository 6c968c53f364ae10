import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { pause, ReportLimit, retry } from '@ponte/concurrency';
import { GetAccountParent } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId, lruCache } from '@ponte/kernel';
import { MESSAGE_BUS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Logger } from 'pino';
import type { EndpointConcurrencyLimiter } from './endpoint-limits/endpoint-concurrency-limiter';
import { MAX_IN_FLIGHT } from './endpoint-limits/endpoint-concurrency-limiter';

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
  /** The number of slots that are taken, in all and by partner. */
  private all = 0;
  private readonly ofPartner = new Map<string, number>();
  private readonly stopping = new AbortController();
  private readonly reports = new ReportLimit();

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

  /** Waits for a slot for a first attempt and returns the function that frees it; undefined when it gets none. */
  async slot(limiter: EndpointConcurrencyLimiter, nowMs: number): Promise<(() => void) | undefined> {
    const { accountId } = limiter;
    let free: (() => void) | undefined;
    await limiter.slot(nowMs, this.ceiling(accountId), () => {
      free = this.take(accountId);
    });
    return free;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Takes a slot for a request of the account. Returns the function that frees it; call it once. */
  take(accountId: string): () => void {
    // The partner may become known meanwhile; the slot is freed where it was counted.
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
  retryForever<T>(work: () => Promise<T>): Promise<T> {
    return retry(work, {
      signal: this.signal,
      onRetry: (failure) => {
        const error = safeError(failure).name;
        this.reports.note(error, (repeats) =>
          this.logger.error({ error, ...repeats }, 'a webhook delivery could not be recorded; retrying'),
        );
      },
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

/** The number of accounts whose partner is kept in memory. The parent of an account never changes. */
const REMEMBERED = 100_000;
const DEADLINE_MS = 5_000;
/** How long a failed look-up is not repeated. */
const RETRY_AFTER_MS = 10_000;
/**
 * All accounts whose partner is not known yet count as one partner, so that no partner gets more than that besides its
 * own share.
 */
const UNKNOWN = 'unknown';

/** Tells which partner an account belongs to. */
@Injectable()
export class Partners {
  private readonly known = lruCache<string, string>(REMEMBERED);
  private readonly lookedUp = lruCache<string, true>(REMEMBERED, { ttl: RETRY_AFTER_MS });

  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: Pick<MessageBus, 'request'>,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
  ) {}

  /** The parent of the account, or the account itself if it has none. Does not wait: the first answer is `unknown`. */
  of(accountId: string): string {
    const partner = this.known.get(accountId);
    if (partner !== undefined) return partner;
    if (!this.lookedUp.has(accountId)) {
      this.lookedUp.set(accountId, true);
      // A failed look-up is repeated when the account is asked for again.
      this.lookUp(accountId).catch(() => undefined);
    }
    return UNKNOWN;
  }

  private async lookUp(accountId: string): Promise<void> {
    const now = this.clock.now();
    const id = derivedId('webhook-partner', accountId, String(now));
    const context = { commandId: id, correlationId: id, actor: 'webhook-dispatcher', deadline: now + DEADLINE_MS };
    const found = await this.bus.request(GetAccountParent, { accountId }, context);
    this.known.set(accountId, found?.parentId ?? accountId);
  }
}
