import { Semaphore } from '@ponte/concurrency';

/** Work in the order of its arrival, so many at once. */
export class Pool {
  private readonly semaphore: Semaphore;
  private idle: (() => void) | undefined;
  /** Running or waiting. */
  depth = 0;

  constructor(atOnce: number) {
    this.semaphore = new Semaphore(atOnce);
  }

  /** The work must not reject. */
  add(work: () => Promise<void>): void {
    this.depth += 1;
    void this.semaphore.pass(work).then(() => {
      this.depth -= 1;
      if (this.depth === 0) this.idle?.();
    });
  }

  /** Resolves when everything that was added has ended. */
  async settled(): Promise<void> {
    if (this.depth > 0)
      await new Promise<void>((resolve) => {
        this.idle = resolve;
      });
  }
}
