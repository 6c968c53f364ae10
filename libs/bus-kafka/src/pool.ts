/** Work in the order of its arrival, so many at once. */
export class Pool {
  private waiting: (() => Promise<void>)[] = [];
  /** Where in the list the next one stands: taking it off the front each time would cost more than most work. */
  private from = 0;
  private running = 0;
  private idle: (() => void) | undefined;

  constructor(private readonly atOnce: number) {}

  /** Running or waiting. */
  get depth(): number {
    return this.running + this.waiting.length - this.from;
  }

  /** The work must not reject. */
  add(work: () => Promise<void>): void {
    if (this.running < this.atOnce) void this.run(work);
    else this.waiting.push(work);
  }

  /** Resolves when everything that was added has ended. */
  async settled(): Promise<void> {
    if (this.depth > 0)
      await new Promise<void>((resolve) => {
        this.idle = resolve;
      });
  }

  private async run(work: () => Promise<void>): Promise<void> {
    this.running += 1;
    await work();
    this.running -= 1;
    const next = this.waiting[this.from];
    if (next) {
      this.from += 1;
      if (this.from === this.waiting.length) [this.waiting, this.from] = [[], 0];
      void this.run(next);
    } else if (this.running === 0) this.idle?.();
  }
}
