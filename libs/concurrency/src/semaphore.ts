/** So many pieces of work at once; the others wait in the order in which they came. */
export class Semaphore {
  private inside = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly places: number) {}

  get waiting(): number {
    return this.queue.length;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside >= this.places)
      await new Promise<void>((resolve) => {
        this.queue.push(resolve);
      });
    else this.inside += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next in the queue without being free in between.
      const next = this.queue.shift();
      if (next) next();
      else this.inside -= 1;
    }
  }
}
