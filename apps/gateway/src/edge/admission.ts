/** Requests of partners that this process takes on at once, at the most and at the least. */
const MOST = 1_024;
const LEAST = 4;
/** Half of what a request may take: who waits longer than this waits in a queue that does not get shorter. Milliseconds. */
const SLOW_MS = 5_000;
/** Whoever was answered within this shows that there is room for more. */
const QUICK_MS = 1_000;
/** What a quick answer adds, so that room comes back by doubling. */
const ROOM_PER_ANSWER = 0.5;
/** Requests that were slow together tell of one and the same queue, which is answered by one step down. */
const STEP_MS = 1_000;

/**
 * How much the edge takes on. When more comes than the services carry out, everybody would wait until his deadline and the work
 * would be in vain, above all after an outage, when everyone comes back at once. So what is too much is told to come again before
 * anything is done for it; how much that is shows in how long answers take.
 */
export class Admission {
  private limit = MOST;
  private inside = 0;
  private lowered = -Infinity;

  /** `now` in epoch milliseconds. */
  constructor(private readonly now: () => number) {}

  /** False when there is no room: then nothing may be done. A request that was let in has to {@link leave}. */
  enter(): boolean {
    if (this.inside >= this.limit) return false;
    this.inside += 1;
    return true;
  }

  /** The request is over, after so many milliseconds. */
  leave(tookMs: number): void {
    if (tookMs >= SLOW_MS) this.lower();
    else if (tookMs <= QUICK_MS) this.limit = Math.min(MOST, this.limit + ROOM_PER_ANSWER);
    this.inside -= 1;
  }

  private lower(): void {
    if (this.now() - this.lowered < STEP_MS) return;
    this.lowered = this.now();
    this.limit = Math.max(LEAST, Math.min(this.limit, this.inside) / 2);
  }
}
