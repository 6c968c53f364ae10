/** Limits the number of pieces of work in progress. Others wait in the order in which they arrived. */
export class Semaphore {
  private inside = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly places: number) {}

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside >= this.places)
      await new Promise<void>((resolve) => {
        this.queue.push(resolve);
      });
    else this.inside += 1;
    try {
      return await work();
    } finally {
      // Hands the place directly to the next one in the queue, so that no other caller can take it.
      const next = this.queue.shift();
      if (next) next();
      else this.inside -= 1;
    }
  }
}
