import { Unavailable } from '@ponte/kernel';

/** One interval for all requests: less precise than a timer per request, and far cheaper. */
const CHECK_MS = 100;

/** A caller that waits for an answer until its deadline. */
interface Caller {
  readonly deadline: number;
  readonly giveUp: () => void;
}

/**
 * Stops waiting at a deadline. The work continues; its outcome is unknown to the caller, which may repeat the request.
 */
export class Deadlines {
  private readonly callers = new Set<Caller>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly systemNow: () => number) {}

  /** Rejects with `Unavailable` if there is no answer by the deadline (epoch milliseconds). */
  limit<T>(answer: Promise<T>, deadline: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const caller = { deadline, giveUp: () => reject(new Unavailable('service-unavailable')) };
      this.callers.add(caller);
      this.timer ??= setInterval(() => this.expire(), CHECK_MS).unref();
      answer.then(resolve, reject).finally(() => this.callers.delete(caller));
    });
  }

  private expire(): void {
    const now = this.systemNow();
    for (const caller of this.callers) {
      if (now <= caller.deadline) continue;
      this.callers.delete(caller);
      caller.giveUp();
    }
    if (this.callers.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
