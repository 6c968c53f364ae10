import { lruCache } from '@ponte/kernel';
import type { AttemptResult } from './attempt-result';
import type { Task } from './delivery-task';
import { EndpointConcurrencyLimiter } from './endpoint-concurrency-limiter';
import { FIRST_QUEUE, QueuedTasks } from './task-queues/task-queue';

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
    const limiter = this.idle.get(endpointId) ?? new EndpointConcurrencyLimiter(accountId, this.queued);
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
    if (receiver === 'not-called' && ended) limiter.recordUnsent();
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
      for (let task = limiter.dequeue(); task; task = limiter.dequeue()) tasks.push(task);
    }
    return tasks;
  }
}
