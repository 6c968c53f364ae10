interface Flight {
  readonly now: Promise<void>;
  next?: Promise<void>;
}

/**
 * Shares calls that read changing data. A caller that arrives while a call is running gets the result of the next call,
 * which starts when the running one ends and serves all callers that arrived meanwhile. So every caller sees at least
 * the data that existed when it asked, and n concurrent callers cost two calls.
 */
export class SingleFlight<K> {
  private readonly running = new Map<K, Flight>();

  take(key: K, work: () => Promise<void>): Promise<void> {
    const running = this.running.get(key);
    if (!running) return this.begin(key, work);
    return (running.next ??= running.now.then(
      () => this.begin(key, work),
      () => this.begin(key, work),
    ));
  }

  private begin(key: K, work: () => Promise<void>): Promise<void> {
    const mine: Flight = { now: work() };
    this.running.set(key, mine);
    const end = (): void => {
      if (!mine.next) this.running.delete(key);
    };
    mine.now.then(end, end);
    return mine.now;
  }
}
