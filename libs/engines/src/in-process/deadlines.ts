import { Unavailable } from '@ponte/kernel';

/** Coarser than a timer per request, and far cheaper. */
const SWEEP_MS = 100;

/** The place of somebody who waits for an answer. */
export interface Place {
  readonly deadline: number;
  readonly late: (reason: Unavailable) => void;
  /** Where it stands among those that wait; -1 when it waits no more. */
  at: number;
}

/** Tells who waits that the deadline has passed. What runs goes on; its outcome is then unknown to the caller, who may ask again. */
export class Deadlines {
  /** In no order: the last takes the place of one that leaves, which costs less than a set's hashes. */
  private readonly waiting: Place[] = [];
  private sweeper: NodeJS.Timeout | undefined;

  constructor(private readonly systemNow: () => number) {}

  /** `late` is called after the deadline (epoch milliseconds), unless the place was left before. */
  wait(deadline: number, late: (reason: Unavailable) => void): Place {
    const place: Place = { deadline, late, at: this.waiting.length };
    this.waiting.push(place);
    this.sweeper ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    return place;
  }

  /** The answer is there. */
  leave(place: Place): void {
    const { at } = place;
    if (at < 0) return;
    place.at = -1;
    const last = this.waiting.pop();
    if (!last || last === place) return;
    this.waiting[at] = last;
    last.at = at;
  }

  /** Waits for an answer until the deadline. */
  limit<T>(answer: Promise<T>, deadline: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const place = this.wait(deadline, reject);
      answer.then(
        (value) => { this.leave(place); resolve(value); },
        (error: unknown) => { this.leave(place); reject(error as Error); },
      );
    });
  }

  private sweep(): void {
    const now = this.systemNow();
    for (const place of this.waiting.filter(({ deadline }) => now > deadline)) {
      this.leave(place);
      place.late(new Unavailable('service-unavailable'));
    }
    if (this.waiting.length > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
  }
}
