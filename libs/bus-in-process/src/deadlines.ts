import { Unavailable } from '@ponte/kernel';

/** Coarser than a timer per request, and far cheaper. */
const SWEEP_MS = 100;

/** A caller that waits for an answer until its deadline. */
class Limited<T> {
  /** Where it stands in the list of those that wait; -1 when it waits no more. */
  at = -1;

  constructor(
    readonly deadline: number,
    readonly kept: (value: T) => void,
    readonly failed: (reason: unknown) => void,
  ) {}
}

/** Gives up waiting at a deadline. What runs goes on; its outcome is then unknown to the caller, who may ask again. */
export class Deadlines {
  /** In no order: the last takes the place of one that leaves, which costs less than a set's hashes. */
  private readonly waiting: Limited<never>[] = [];
  private sweeper: NodeJS.Timeout | undefined;

  constructor(private readonly systemNow: () => number) {}

  limit<T>(answer: Promise<T>, deadline: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const limited = new Limited<T>(deadline, resolve, reject);
      limited.at = this.waiting.push(limited as Limited<never>) - 1;
      this.sweeper ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
      answer.then(
        (value) => {
          this.leave(limited as Limited<never>);
          limited.kept(value);
        },
        (error: unknown) => {
          this.leave(limited as Limited<never>);
          limited.failed(error);
        },
      );
    });
  }

  private leave(limited: Limited<never>): void {
    const { at } = limited;
    if (at < 0) return;
    limited.at = -1;
    const last = this.waiting.pop() as Limited<never>;
    if (last === limited) return;
    this.waiting[at] = last;
    last.at = at;
  }

  private sweep(): void {
    const now = this.systemNow();
    for (const limited of this.waiting.filter(({ deadline }) => now > deadline)) {
      this.leave(limited);
      limited.failed(new Unavailable('service-unavailable'));
    }
    if (this.waiting.length > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}
