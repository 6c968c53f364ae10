import type { Task } from './delivery-task';
import { MAX_QUEUE, QueuedTasks, TaskQueue } from './task-queues/task-queue';

/** Concurrent requests to a healthy endpoint: enough for 300 events/s at 100 ms each. */
export const MAX_IN_FLIGHT = 32;
/** The longest pause of an endpoint after a `Retry-After`. The delivery that received it waits as long as requested. */
const MAX_REST_MS = 60_000;
/** Requests in the first second after an outage. */
export const FIRST_SECOND = 10;
/** The number of seconds with a limited rate. The last one allows more requests than an endpoint can be sent. */
export const RAMP_SECONDS = 6;
const SECOND_MS = 1_000;

/**
 * Limits the concurrent requests to one endpoint. The limit is halved after each failure and grows by one after each
 * success, so a receiver that hangs holds only one connection. After an outage, {@link Ramp} also limits the rate, so
 * that the receiver does not get its whole backlog at once.
 */
export class EndpointConcurrencyLimiter {
  private limit = MAX_IN_FLIGHT;
  private restUntilMs = 0;
  private readonly queue: TaskQueue;
  private running = 0;
  /** First attempts that wait for a slot. They exist only in memory. */
  private waiting: { readonly taken: () => void; readonly resolve: (may: boolean) => void }[] = [];
  private freshIsNext = false;
  private readonly ramp = new Ramp();

  /** `accountId`: the account of the endpoint. `queued`: the tasks of all endpoints. */
  constructor(
    readonly accountId: string,
    queued = new QueuedTasks(),
  ) {
    this.queue = new TaskQueue(queued);
  }

  /** Whether nothing runs or waits, and the receiver has not asked for a pause. */
  isIdle(nowMs: number): boolean {
    return this.running === 0 && !this.isAwaited && !this.queue.hasOverflowed && this.restUntilMs <= nowMs;
  }

  /** Whether the limiter is idle and at full speed. It can then be dropped, because a new one is the same. */
  isFresh(nowMs: number): boolean {
    return this.isIdle(nowMs) && this.limit === MAX_IN_FLIGHT && this.ramp.isOver(nowMs);
  }

  /** Whether another request may be sent now. `ceiling`: the limit that the process can spare for one endpoint. */
  mayStart(nowMs: number, ceiling: number): boolean {
    return this.running < Math.min(this.limit, ceiling) && this.restUntilMs <= nowMs && this.ramp.mayStart(nowMs);
  }

  /** How many due tasks to read from the read model; 0 if the receiver asked for a pause. */
  toRead(nowMs: number): number {
    return this.restUntilMs > nowMs ? 0 : this.queue.toRead;
  }

  /** Whether a task or a first attempt waits for a slot. */
  get isAwaited(): boolean {
    return this.queue.length > 0 || this.waiting.length > 0;
  }

  /**
   * Waits for a slot for a first attempt; {@link begin} has been called when it resolves with true. It resolves with
   * false when the receiver is failing or too many attempts wait: since the wait could be long, such a delivery is
   * recorded and waits in the read model. `taken` is called together with {@link begin}, so that no other
   * request can get the same slot of the process.
   */
  async slot(nowMs: number, ceiling: number, taken: () => void = () => undefined): Promise<boolean> {
    if (!this.isAwaited && this.mayStart(nowMs, ceiling)) {
      this.begin();
      taken();
      return true;
    }
    if (this.limit < MAX_IN_FLIGHT || this.restUntilMs > nowMs || this.waiting.length >= MAX_QUEUE) return false;
    return new Promise((resolve) => {
      this.waiting.push({ taken, resolve });
    });
  }

  /**
   * Gives a slot alternately to a queued task, which is returned, and to a waiting first attempt. If queued tasks
   * always came first, new deliveries would be recorded behind them, at three appends each, and the queue might never
   * empty.
   */
  next(): Task | undefined {
    this.begin();
    this.freshIsNext = this.queue.length === 0 || (!this.freshIsNext && this.waiting.length > 0);
    if (!this.freshIsNext) return this.queue.dequeue();
    const first = this.waiting.shift();
    first?.taken();
    first?.resolve(true);
    return undefined;
  }

  /** Rejects all waiting first attempts. */
  rejectWaiting(): void {
    for (const { resolve } of this.waiting.splice(0)) resolve(false);
  }

  begin(): void {
    this.running += 1;
    this.ramp.start();
  }

  end(): void {
    this.running -= 1;
  }

  /** Returns a function that releases a slot and calls `left`. Only its first call has an effect. */
  leaving(left: () => void): () => void {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.end();
      left();
    };
  }

  /** False when there is no room for the task. */
  enqueue(task: Task): boolean {
    return this.queue.enqueue(task);
  }

  dequeue(): Task | undefined {
    return this.queue.dequeue();
  }

  /** As {@link TaskQueue.wantsMore}. */
  wantsMore(): boolean {
    return this.queue.wantsMore();
  }

  recordSuccess(nowMs: number): void {
    this.ramp.recordSuccess(nowMs);
    this.limit = Math.min(MAX_IN_FLIGHT, this.limit + 1);
    this.queue.grow();
  }

  /** A delivery ended without a request. */
  recordUnsent(): void {
    this.queue.grow();
  }

  /** `restUntilMs`: until when the receiver asked for no requests, or null. Returns tasks that are queued no longer. */
  recordFailure(nowMs: number, restUntilMs: number | null): Task[] {
    this.limit = Math.max(1, Math.floor(this.limit / 2));
    if (this.limit === 1) this.ramp.outage();
    this.rejectWaiting();
    if (restUntilMs !== null) this.restUntilMs = Math.max(this.restUntilMs, Math.min(restUntilMs, nowMs + MAX_REST_MS));
    return this.queue.shrink();
  }
}

/**
 * Limits the request rate to an endpoint after an outage: {@link FIRST_SECOND} requests in the first second, and twice
 * as many in each following second, however fast the receiver responds. Times are business time in milliseconds.
 */
class Ramp {
  /** When the endpoint recovered; undefined before the first outage and during one. */
  private beganAt: number | undefined;
  private isOut = false;
  private second = 0;
  private started = 0;

  /** Call when the receiver is failing and its limit is down to one request at a time. */
  outage(): void {
    this.isOut = true;
    this.beganAt = undefined;
  }

  /** Call when the receiver has accepted a request. */
  recordSuccess(nowMs: number): void {
    if (!this.isOut) return;
    this.isOut = false;
    this.beganAt = nowMs;
    this.second = 0;
    this.started = 0;
  }

  isOver(nowMs: number): boolean {
    return !this.isOut && (this.beganAt === undefined || nowMs - this.beganAt >= RAMP_SECONDS * SECOND_MS);
  }

  /** Whether another request may be sent now. */
  mayStart(nowMs: number): boolean {
    if (this.beganAt === undefined || this.isOver(nowMs)) return true;
    const second = Math.max(0, Math.floor((nowMs - this.beganAt) / SECOND_MS));
    if (second !== this.second) this.started = 0;
    this.second = second;
    return this.started < FIRST_SECOND * 2 ** second;
  }

  /** Counts a request in the second of the last {@link mayStart} call. */
  start(): void {
    this.started += 1;
  }
}
