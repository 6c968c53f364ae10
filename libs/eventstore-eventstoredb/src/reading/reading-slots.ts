/** A taken slot, and how its holder is asked to release it. */
interface TakenSlot {
  readonly since: number;
  readonly giveBack: () => void;
  releaseRequested: boolean;
}

/** How long a slot may be held while others wait for one. */
const TURN_MS = 2_000;

/**
 * A limited number of slots that may be held for a long time. While others wait, a holder is asked to release its
 * slot after a while, so that a reader that never catches up does not block the others.
 */
export class ReadingSlots {
  private readonly held = new Set<TakenSlot>();
  private readonly queue: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly count: number) {}

  /**
   * Waits for a slot. `giveBack` is called when its turn is over. Returns a function that releases the slot and may
   * be called more than once.
   */
  async take(giveBack: () => void): Promise<() => void> {
    if (this.held.size >= this.count) {
      this.watch();
      await new Promise<void>((resolve) => {
        this.queue.push(resolve);
      });
    }
    const mine: TakenSlot = { since: performance.now(), giveBack, releaseRequested: false };
    this.held.add(mine);
    return () => {
      if (this.held.delete(mine)) this.queue.shift()?.();
    };
  }

  private watch(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const before = performance.now() - TURN_MS;
      let releasesNeeded = this.queue.length;
      for (const one of this.held) {
        if (releasesNeeded === 0) break;
        if (one.since > before || one.releaseRequested) continue;
        one.releaseRequested = true;
        releasesNeeded -= 1;
        one.giveBack();
      }
      if (this.queue.length > 0) this.watch();
    }, TURN_MS / 4).unref();
  }
}
