import { Unavailable } from '@ponte/kernel';

/** One interval for all requests: less precise than a timer per request, and far cheaper. */
const CHECK_MS = 100;

/**
 * Stops waiting at a deadline. The work continues; its outcome is unknown to the caller, which may repeat the request.
 */
export class Deadlines {
  /** The deadline of each caller that waits for an answer, by the function that ends its wait. */
  private readonly callers = new Map<() => void, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly systemNow: () => number) {}

  /** Rejects with `Unavailable` if there is no answer by the deadline (epoch milliseconds). */
  limit<T>(answer: Promise<T>, deadline: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const giveUp = (): void => reject(new Unavailable('service-unavailable'));
      this.callers.set(giveUp, deadline);
      this.timer ??= setInterval(() => this.expire(), CHECK_MS).unref();
      answer.then(
        (reply) => {
          this.callers.delete(giveUp);
          resolve(reply);
        },
        (error: unknown) => {
          this.callers.delete(giveUp);
          reject(error);
        },
      );
    });
  }

  private expire(): void {
    const now = this.systemNow();
    for (const [giveUp, deadline] of this.callers) {
      if (now <= deadline) continue;
      this.callers.delete(giveUp);
      giveUp();
    }
    if (this.callers.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
