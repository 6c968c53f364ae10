import type { Head } from '../../chain.port';

/** Delivers the newest head to any number of followers. A slow follower skips heads and never blocks another one. */
export class HeadFeed {
  private latest: Head | undefined;
  private readonly wakers = new Set<() => void>();

  push(head: Head): void {
    this.latest = head;
    for (const wake of this.wakers) wake();
  }

  /** `first` counts as the newest head until one is pushed. */
  async *follow(signal: AbortSignal, first?: Head): AsyncGenerator<Head> {
    let seen: Head | undefined;
    while (!signal.aborted) {
      const head = this.latest ?? first;
      if (head === seen) {
        await this.next(signal);
        continue;
      }
      seen = head;
      if (head) yield head;
    }
  }

  private next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.wakers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.wakers.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
