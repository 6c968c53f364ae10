import type { Task } from './deliveries';
import { Ramp } from './ramp';

/** Requests that an endpoint may have under way when it does well: 300 events/s at 100 ms each. */
export const MAX_IN_FLIGHT = 32;
/** Tasks kept in memory per endpoint; more wait in the view. */
export const MAX_QUEUE = 512;
/** Below this the view is asked for more. */
const LOW_WATER = 64;
/**
 * How long one `Retry-After` keeps a whole endpoint quiet; the delivery that met it waits as long as it was asked to.
 */
const MAX_REST_MS = 60_000;

/**
 * What one endpoint has under way and waiting, and how much it may have: half as much after each failure, one more
 * after each success. So a receiver that hangs holds one connection, and one that comes back is not met by its whole
 * backlog ({@link Ramp}).
 */
export class EndpointConcurrencyLimiter {
  private limit = MAX_IN_FLIGHT;
  private restUntilMs = 0;
  private readonly queue: Task[] = [];
  private running = 0;
  /** First attempts that wait for a place, in memory alone. */
  private waiting: ((may: boolean) => void)[] = [];
  private freshIsNext = false;
  /** Tasks were turned away, so the view has more. */
  private overflowed = false;
  private readonly ramp = new Ramp();

  /** Nothing to remember: an idle lane at full speed is as good as a new one. */
  isFresh(nowMs: number): boolean {
    return (
      this.running === 0 &&
      this.queue.length === 0 &&
      this.waiting.length === 0 &&
      !this.overflowed &&
      this.limit === MAX_IN_FLIGHT &&
      this.restUntilMs <= nowMs &&
      this.ramp.isOver(nowMs)
    );
  }

  /** Whether another request may leave now; `ceiling` is what the process can spare. */
  mayStart(nowMs: number, ceiling: number): boolean {
    return this.running < Math.min(this.limit, ceiling) && this.restUntilMs <= nowMs && this.ramp.mayStart(nowMs);
  }

  /** True when it has enough to do, or must not do anything, so that the view need not be asked for it. */
  isBusy(nowMs: number): boolean {
    return this.queue.length > LOW_WATER || this.restUntilMs > nowMs;
  }

  get hasQueue(): boolean {
    return this.queue.length > 0;
  }
  get hasWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /**
   * A place for a first attempt, which is {@link begin} already when it is given: at once, or when those before it have
   * left. False as soon as the receiver does badly, or where too many wait: then it is recorded and waits in the view,
   * since no one knows for how long.
   */
  async place(nowMs: number, ceiling: number): Promise<boolean> {
    if (!this.hasQueue && !this.hasWaiting && this.mayStart(nowMs, ceiling)) {
      this.begin();
      return true;
    }
    if (this.limit < MAX_IN_FLIGHT || this.restUntilMs > nowMs || this.waiting.length >= MAX_QUEUE) return false;
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /**
   * Gives a place to what is next: by turns to what is queued, which is returned, and to a first attempt that waits.
   * Were the queue always first, all that is new would be recorded behind it, at three appends each, and the queue
   * might never become empty.
   */
  next(): Task | undefined {
    this.begin();
    this.freshIsNext = this.queue.length === 0 || (!this.freshIsNext && this.waiting.length > 0);
    if (!this.freshIsNext) return this.queue.shift();
    this.waiting.shift()?.(true);
    return undefined;
  }

  /** No one waits here any longer. */
  turnAway(): void {
    for (const resolve of this.waiting.splice(0)) resolve(false);
  }

  begin(): void {
    this.running += 1;
    this.ramp.start();
  }

  end(): void {
    this.running -= 1;
  }

  /** Gives a place back, once; `left` is called when it did. */
  leaving(left: () => void): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.end();
      left();
    };
  }

  /** False when the queue is full. */
  enqueue(task: Task): boolean {
    if (this.queue.length >= MAX_QUEUE) {
      this.overflowed = true;
      return false;
    }
    this.queue.push(task);
    return true;
  }

  dequeue(): Task | undefined {
    return this.queue.shift();
  }

  /** True once when tasks had been turned away and there is room for them again. */
  wantsMore(): boolean {
    if (!this.overflowed || this.queue.length > LOW_WATER) return false;
    this.overflowed = false;
    return true;
  }

  wentWell(nowMs: number): void {
    this.ramp.wentWell(nowMs);
    this.limit = Math.min(MAX_IN_FLIGHT, this.limit + 1);
  }

  /** `restUntilMs`: until when the receiver asked for no requests; null when it did not ask. */
  wentBadly(nowMs: number, restUntilMs: number | null): void {
    this.limit = Math.max(1, Math.floor(this.limit / 2));
    if (this.limit === 1) this.ramp.outage();
    this.turnAway();
    if (restUntilMs !== null) this.restUntilMs = Math.max(this.restUntilMs, Math.min(restUntilMs, nowMs + MAX_REST_MS));
  }
}
