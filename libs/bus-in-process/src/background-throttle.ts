import { performance } from 'node:perf_hooks';
import { pause } from '@ponte/concurrency';
import type { EventStore, LogSubscription } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';

/**
 * Number of requests in progress from which the consumers of the log yield. One acceptance makes up to four requests at
 * once, so this is about ten callers.
 */
const BUSY_REQUESTS = 32;
/**
 * A group commit answers all callers at once, and their next requests arrive shortly after. The throttle stays busy for
 * this many milliseconds.
 */
const STAYS_BUSY_MS = 25;
/** When it becomes quiet, this many waiting events are admitted at a time, because callers may return soon. */
const PORTION = 32;
/**
 * While callers wait, one event is admitted for this many of their requests. Together with the events of the ticks,
 * that takes a tenth of the thread's time.
 */
const REQUESTS_PER_EVENT = 32;
/**
 * Per tick, this many events are admitted even while callers wait and requests are answered slowly. Events admitted for
 * answered requests count towards this number.
 */
const TICK_MS = 25;
const EVENTS_PER_TICK = 8;
/** The longest time, in milliseconds, that a projector delays a slice while callers wait. */
const MAX_LINGER_MS = 250;
/** The largest number of unused turns that are saved up. */
const MAX_SAVED = 16;

/**
 * Gives requests priority over the consumers of the log where both share one thread: a caller waits for an answer,
 * while events are safe in the log. Consumers always make progress, so work that was accepted under load is done, only
 * later.
 */
export class BackgroundThrottle {
  private requests = 0;
  private busyUntil = 0;
  /** Number of events that may be handled even while callers wait. */
  private turns = 0;
  /** Number of events admitted for answered requests since the last tick. */
  private passed = 0;
  private readonly waiting: (() => void)[] = [];
  private ticking: NodeJS.Timeout | undefined;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  requestBegan(): void {
    this.requests += 1;
    this.noteBusy();
  }

  requestEnded(): void {
    this.noteBusy();
    this.requests -= 1;
    this.turns = Math.min(MAX_SAVED, this.turns + 1 / REQUESTS_PER_EVENT);
    if (this.turns >= 1) this.admit();
  }

  /** Resolves when an event may be handled; undefined if it may be handled at once. */
  turn(): Promise<void> | undefined {
    if (this.waiting.length === 0 && this.mayPass()) return undefined;
    this.ticking ??= setTimeout(() => this.tick(), TICK_MS);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /**
   * For readers that handle a slice of events at once: resolves when it is quiet, but after a limited time in any case.
   */
  async linger(): Promise<void> {
    for (let waited = 0; this.busy && waited < MAX_LINGER_MS; waited += TICK_MS) await pause(TICK_MS);
  }

  private noteBusy(): void {
    if (this.requests >= BUSY_REQUESTS) this.busyUntil = this.now() + STAYS_BUSY_MS;
  }

  private get busy(): boolean {
    return this.requests >= BUSY_REQUESTS || this.now() < this.busyUntil;
  }

  private mayPass(): boolean {
    if (!this.busy) return true;
    if (this.turns < 1) return false;
    this.turns -= 1;
    this.passed += 1;
    return true;
  }

  private tick(): void {
    this.ticking = undefined;
    this.turns = Math.max(this.turns, EVENTS_PER_TICK - this.passed);
    this.admit();
    this.passed = 0;
    if (this.waiting.length > 0) this.ticking = setTimeout(() => this.tick(), TICK_MS);
  }

  private admit(): void {
    for (let released = 0; this.waiting.length > 0; released += 1) {
      if (released === PORTION) return void setImmediate(() => this.admit());
      if (!this.mayPass()) return;
      this.waiting.shift()?.();
    }
  }
}

/**
 * Wraps the store for projectors. While callers wait, each slice is delayed, so that its work is done for many events
 * at once and after the callers. Subscriptions without a reader name are not delayed: they invalidate caches, for
 * example of a revoked key.
 */
export const throttledReaders =
  (throttle: BackgroundThrottle): Decorator<EventStore> =>
  (store) => ({
    subscribe: (filter) =>
      filter?.reader === undefined ? store.subscribe(filter) : throttledSubscription(store.subscribe(filter), throttle),
  });

const throttledSubscription = (subscription: LogSubscription, throttle: BackgroundThrottle): LogSubscription => ({
  async *[Symbol.asyncIterator]() {
    for await (const slice of subscription) {
      if (slice.events.length > 0) await throttle.linger();
      yield slice;
    }
  },
  close: () => subscription.close(),
});
