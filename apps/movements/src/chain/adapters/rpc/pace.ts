/**
 * How often something is looked at: often while it moves, rarely while it rests. Whatever starts it again ends the rest
 * at once.
 */
export class Pace {
  private movedAt = -Infinity;
  private readonly resting = new Set<() => void>();

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(
    private readonly options: {
      readonly busyMs: number;
      readonly restMs: number;
      readonly busyForMs: number;
      readonly now: () => number;
    },
  ) {}

  /** Something happened, or is about to. */
  moved(): void {
    this.movedAt = this.options.now();
    for (const wake of this.resting) wake();
  }

  /** Until it is time for the next look, or the signal aborts. */
  next(signal: AbortSignal): Promise<void> {
    const { busyMs, restMs, busyForMs, now } = this.options;
    if (signal.aborted) return Promise.resolve();
    const resting = now() - this.movedAt >= busyForMs;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.resting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, resting ? restMs : busyMs).unref();
      if (resting) this.resting.add(done);
      signal.addEventListener('abort', done);
    });
  }
}
