import { Semaphore } from '@ponte/concurrency';

/** Runs work in the order of its arrival, with a limit on how much runs in parallel. */
export class Pool {
  private readonly semaphore: Semaphore;
  private idle: (() => void) | undefined;
  /** Number of pieces of work running or waiting. */
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
