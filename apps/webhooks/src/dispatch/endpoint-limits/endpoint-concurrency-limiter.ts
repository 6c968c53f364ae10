import { lruCache } from '@ponte/kernel';
import type { AttemptResult } from '../attempt-result';
import type { Task } from '../delivery-task';
import { FIRST_QUEUE, MAX_QUEUE, QueuedTasks, Ramp, TaskQueue } from './endpoint-queue';

/** Concurrent requests to a healthy endpoint: enough for 300 events/s at 100 ms each. */
export const MAX_IN_FLIGHT = 32;
/** The longest pause of an endpoint after a `Retry-After`. The delivery that received it waits as long as requested. */
const MAX_REST_MS = 60_000;

/**
 * Limits the concurrent requests to one endpoint. The limit is halved after each failure and grows by one after each
 * success, so a receiver that hangs holds only one connection. After an outage, {@link Ramp} also limits the rate, so
 * that the receiver does not get its whole backlog at once.
 */
export class EndpointConcurrencyLimiter {
  private limit = MAX_IN_FLIGHT;
  private restUntilMs = 0;
  private running = 0;
  /** First attempts that wait for a slot. They exist only in memory. */
  private waiting: { readonly taken: () => void; readonly resolve: (may: boolean) => void }[] = [];
  private freshIsNext = false;
  private readonly ramp = new Ramp();

  /** `accountId`: the account of the endpoint. `queue`: its tasks. */
  constructor(
    readonly accountId: string,
    readonly queue = new TaskQueue(new QueuedTasks()),
  ) {}

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

  recordSuccess(nowMs: number): void {
    this.ramp.recordSuccess(nowMs);
    this.limit = Math.min(MAX_IN_FLIGHT, this.limit + 1);
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
 * The most idle limiters that are remembered. Without a limit, those of deleted endpoints, which are never asked again,
 * would stay forever.
 */
export const MAX_IDLE = 10_000;

/** The limiters of the endpoints that are active or below full speed. */
export class EndpointLimiters {
  /** Those in use. */
  private readonly limiters = new Map<string, EndpointConcurrencyLimiter>();
  /** Those below full speed that are not in use. One that is forgotten starts at full speed again. */
  private readonly idle = lruCache<string, EndpointConcurrencyLimiter>(MAX_IDLE);

  constructor(private readonly queued = new QueuedTasks()) {}

  /** The limiter of an endpoint, created if it does not exist. It is in use until {@link release} finds it idle. */
  of(endpointId: string, accountId: string): EndpointConcurrencyLimiter {
    const inUse = this.limiters.get(endpointId);
    if (inUse) return inUse;
    const limiter = this.idle.get(endpointId) ?? new EndpointConcurrencyLimiter(accountId, new TaskQueue(this.queued));
    this.idle.delete(endpointId);
    this.limiters.set(endpointId, limiter);
    return limiter;
  }

  /** The limiter of an endpoint if it is in use. */
  get(endpointId: string): EndpointConcurrencyLimiter | undefined {
    return this.limiters.get(endpointId);
  }

  /** The endpoints whose limiters are in use. */
  endpointIds(): readonly string[] {
    return [...this.limiters.keys()];
  }

  /** Adapts the limits of the endpoint to the outcome of an attempt. Returns the tasks that are no longer queued. */
  recordResult(
    { endpointId, accountId }: Omit<Task, 'after'>,
    { ended, receiver, restUntilMs }: AttemptResult,
    nowMs: number,
  ): Task[] {
    const limiter = this.of(endpointId, accountId);
    if (receiver === 'accepted') limiter.recordSuccess(nowMs);
    if (receiver === 'not-called' && ended) limiter.queue.grow();
    return receiver === 'failed' ? limiter.recordFailure(nowMs, restUntilMs) : [];
  }

  /** How many due tasks of the endpoint to read from the read model. */
  toRead(endpointId: string, nowMs: number): number {
    return this.limiters.get(endpointId)?.toRead(nowMs) ?? FIRST_QUEUE;
  }

  /** Ends the use of the limiter if it is idle. It is remembered if it is below full speed. */
  release(endpointId: string, nowMs: number): void {
    const limiter = this.limiters.get(endpointId);
    if (!limiter?.isIdle(nowMs)) return;
    this.limiters.delete(endpointId);
    if (!limiter.isFresh(nowMs)) this.idle.set(endpointId, limiter);
  }

  /** Rejects everything that waits and returns the tasks that were queued. */
  emptyAll(): Task[] {
    const tasks: Task[] = [];
    for (const limiter of this.limiters.values()) {
      limiter.rejectWaiting();
      for (let task = limiter.queue.dequeue(); task; task = limiter.queue.dequeue()) tasks.push(task);
    }
    return tasks;
  }
}
