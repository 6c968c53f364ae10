/**
 * The interval of polling: short while there was activity in the last `busyForMs`, long otherwise. New activity ends a
 * long interval at once.
 */
export class Pace {
  private movedAt = -Infinity;
  private readonly resting = new Set<() => void>();

  /** `now`: milliseconds of a monotonic clock. */
  constructor(
    private readonly options: {
      readonly busyMs: number;
      readonly restMs: number;
      readonly busyForMs: number;
      readonly now: () => number;
    },
  ) {}

  /** Reports activity that has happened or is about to happen. */
  moved(): void {
    this.movedAt = this.options.now();
    for (const wake of this.resting) wake();
  }

  /** Resolves when the next poll is due or the signal aborts. */
  next(signal: AbortSignal): Promise<void> {
    const { busyMs, restMs, busyForMs, now } = this.options;
    if (signal.aborted) return Promise.resolve();
    const resting = now() - this.movedAt >= busyForMs;
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.resting.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, resting ? restMs : busyMs).unref();
      if (resting) this.resting.add(finish);
      signal.addEventListener('abort', finish);
    });
  }
}
