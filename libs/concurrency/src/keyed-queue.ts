/** One piece of work. A returned number means: try again after that many milliseconds. */
type QueuedWork = () => Promise<number | undefined>;

/** The delay before work that rejected is tried again, in milliseconds. */
const AFTER_ERROR_MS = 1_000;

/**
 * Runs work in order per key, with several keys in parallel. A key that waits for its next attempt does not count
 * towards the limit, so that failing keys do not slow the others down.
 */
export class KeyedQueue {
  private readonly queues = new Map<string, QueuedWork[]>();
  private readonly ready: string[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private running = 0;
  private stopped = false;
  private idle: (() => void) | undefined;

  constructor(
    private readonly atOnce: number,
    /** Called when work rejects, which is a programming error. It is tried again, so that its key stays in order. */
    private readonly onError: (key: string, error: unknown) => void,
  ) {}

  add(key: string, work: QueuedWork): void {
    const queue = this.queues.get(key);
    if (queue) {
      queue.push(work);
      return;
    }
    this.queues.set(key, [work]);
    this.ready.push(key);
    this.fill();
  }

  /** Runs work once, in its key's order, and returns its result. */
  once<T>(key: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add(key, () =>
        work()
          .then(resolve, reject)
          .then(() => undefined),
      );
    });
  }

  /** Starts no more work and resolves when the running work has ended. Waiting work is dropped. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    if (this.running > 0)
      await new Promise<void>((resolve) => {
        this.idle = resolve;
      });
  }

  private fill(): void {
    while (!this.stopped && this.running < this.atOnce) {
      const key = this.ready.shift();
      if (key === undefined) return;
      this.running += 1;
      void this.run(key, this.queues.get(key) as QueuedWork[]);
    }
  }

  private async run(key: string, queue: QueuedWork[]): Promise<void> {
    const again = await this.attempt(key, queue[0] as QueuedWork);
    this.running -= 1;
    if (again !== undefined) this.wait(key, again);
    else if (queue.length > 1) {
      queue.shift();
      this.ready.push(key);
    } else this.queues.delete(key);
    this.fill();
    if (this.stopped && this.running === 0) this.idle?.();
  }

  private async attempt(key: string, work: QueuedWork): Promise<number | undefined> {
    try {
      return await work();
    } catch (error) {
      this.onError(key, error);
      return AFTER_ERROR_MS;
    }
  }

  private wait(key: string, ms: number): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.ready.push(key);
      this.fill();
    }, ms);
    this.timers.add(timer);
  }
}
