import type { AttemptResult } from './attempt-result';
import type { Task } from './delivery-task';
import { EndpointConcurrencyLimiter } from './endpoint-concurrency-limiter';

/** The limiters of the endpoints that are active or below full speed. */
export class EndpointLimiters {
  private readonly limiters = new Map<string, EndpointConcurrencyLimiter>();

  /** The limiter of an endpoint, created if it does not exist. */
  of(endpointId: string, accountId: string): EndpointConcurrencyLimiter {
    const existing = this.limiters.get(endpointId);
    if (existing) return existing;
    const limiter = new EndpointConcurrencyLimiter(accountId);
    this.limiters.set(endpointId, limiter);
    return limiter;
  }

  get(endpointId: string): EndpointConcurrencyLimiter | undefined {
    return this.limiters.get(endpointId);
  }

  endpointIds(): readonly string[] {
    return [...this.limiters.keys()];
  }

  /** Adapts the limits of the endpoint to the outcome of an attempt. */
  recordResult(
    { endpointId, accountId }: Omit<Task, 'after'>,
    { receiver, restUntilMs }: AttemptResult,
    nowMs: number,
  ): void {
    const limiter = this.of(endpointId, accountId);
    if (receiver === 'well') limiter.recordSuccess(nowMs);
    if (receiver === 'badly') limiter.recordFailure(nowMs, restUntilMs);
  }

  /** Endpoints for which the read model need not be queried. */
  busy(nowMs: number): string[] {
    return [...this.limiters].filter(([, limiter]) => limiter.isBusy(nowMs)).map(([endpointId]) => endpointId);
  }

  /** Removes the limiter if it is idle and at full speed. */
  removeIfFresh(endpointId: string, nowMs: number): void {
    if (this.limiters.get(endpointId)?.isFresh(nowMs)) this.limiters.delete(endpointId);
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
