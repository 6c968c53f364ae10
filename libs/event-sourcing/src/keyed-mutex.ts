/** Runs one piece of work at a time per key, in the order of the calls. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    const running = before ? before.then(work, work) : work();
    this.last.set(key, running);
    const leave = (): void => {
      if (this.last.get(key) === running) this.last.delete(key);
    };
    running.then(leave, leave);
    return running;
  }
}
