import type { Task } from './deliveries';
import { EndpointConcurrencyLimiter } from './endpoint-concurrency-limiter';

/** The limiter of each endpoint that has something under way, or of which something has to be remembered. */
export class EndpointLimiters {
  private readonly limiters = new Map<string, EndpointConcurrencyLimiter>();

  /** A new one where it is absent. */
  of(endpointId: string): EndpointConcurrencyLimiter {
    const held = this.limiters.get(endpointId);
    if (held) return held;
    const limiter = new EndpointConcurrencyLimiter();
    this.limiters.set(endpointId, limiter);
    return limiter;
  }

  get(endpointId: string): EndpointConcurrencyLimiter | undefined {
    return this.limiters.get(endpointId);
  }

  endpointIds(): readonly string[] {
    return [...this.limiters.keys()];
  }

  /** Endpoints that have all they can take. */
  busy(nowMs: number): string[] {
    return [...this.limiters].filter(([, limiter]) => limiter.isBusy(nowMs)).map(([endpointId]) => endpointId);
  }

  /** Forgets a limiter that is as good as a new one. */
  dropFresh(endpointId: string, nowMs: number): void {
    if (this.limiters.get(endpointId)?.isFresh(nowMs)) this.limiters.delete(endpointId);
  }

  /** Nothing waits any longer; answers what was queued. */
  emptyAll(): Task[] {
    const tasks: Task[] = [];
    for (const limiter of this.limiters.values()) {
      limiter.turnAway();
      for (let task = limiter.dequeue(); task; task = limiter.dequeue()) tasks.push(task);
    }
    return tasks;
  }
}
