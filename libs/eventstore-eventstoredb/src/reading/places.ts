/** A place that is held, and how its holder is asked to give it back. */
interface Held {
  readonly since: number;
  readonly giveBack: () => void;
  isAsked: boolean;
}

/** How long a place is held while others wait for one. */
const TURN_MS = 2_000;

/**
 * A bounded number of places that are held for long. While others wait, a holder is asked after a turn to give its
 * place back, so that a reader that never ends does not keep the others out.
 */
export class Places {
  private readonly held = new Set<Held>();
  private readonly queue: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly count: number,
    private readonly turnMs = TURN_MS,
  ) {}

  /**
   * Waits for a place; `giveBack` is called when its turn is over. Answers how to release it, which may be called more
   * than once.
   */
  async take(giveBack: () => void): Promise<() => void> {
    if (this.held.size >= this.count) {
      this.watch();
      await new Promise<void>((resolve) => {
        this.queue.push(resolve);
      });
    }
    const mine: Held = { since: performance.now(), giveBack, isAsked: false };
    this.held.add(mine);
    return () => {
      if (this.held.delete(mine)) this.queue.shift()?.();
    };
  }

  private watch(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      const before = performance.now() - this.turnMs;
      let asked = this.queue.length;
      for (const one of this.held) {
        if (asked === 0) break;
        if (one.since > before || one.isAsked) continue;
        one.isAsked = true;
        asked -= 1;
        one.giveBack();
      }
      if (this.queue.length > 0) this.watch();
    }, this.turnMs / 4).unref();
  }
}
