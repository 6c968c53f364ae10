/** Wakes all callers that wait for something to happen. */
export class Signal {
  private readonly sleepers = new Set<() => void>();

  wakeAll(): void {
    const woken = [...this.sleepers];
    this.sleepers.clear();
    for (const wake of woken) wake();
  }

  /** Resolves at the next `wakeAll`, or after `ms` milliseconds if given. */
  wait(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(wake);
        resolve();
      };
      const timer = ms === undefined ? undefined : setTimeout(wake, ms);
      this.sleepers.add(wake);
    });
  }
}
