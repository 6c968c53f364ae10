interface Flight {
  readonly now: Promise<void>;
  next?: Promise<void>;
}

/**
 * Looks at things that change, shared: who asks while a look is under way gets the one after it, which begins when that
 * has ended, with everybody else who asked meanwhile. So everyone sees at least what there was when he asked, and n
 * callers cost two looks.
 */
export class SingleFlight<K> {
  private readonly running = new Map<K, Flight>();

  take(key: K, look: () => Promise<void>): Promise<void> {
    const running = this.running.get(key);
    if (!running) return this.begin(key, look);
    return (running.next ??= running.now.then(
      () => this.begin(key, look),
      () => this.begin(key, look),
    ));
  }

  private begin(key: K, look: () => Promise<void>): Promise<void> {
    const mine: Flight = { now: look() };
    this.running.set(key, mine);
    const end = (): void => {
      if (!mine.next) this.running.delete(key);
    };
    mine.now.then(end, end);
    return mine.now;
  }
}
