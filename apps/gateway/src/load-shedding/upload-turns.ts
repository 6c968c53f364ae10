/** The number of bodies processed at once. Processing a body of 10 MB takes about 90 MB of memory. */
const AT_ONCE = 1;
/** The longest wait in milliseconds; after it the caller has to retry. */
const MOST_WAIT_MS = 5_000;

/** A place in the queue. */
export interface UploadTurn {
  readonly granted: boolean;
  /** Resolves to true when it is this upload's turn, and to false if that took too long or the place was given up. */
  wait(): Promise<boolean>;
  /** Gives up the turn or the place in the queue. */
  leave(): void;
}

interface Waiting {
  readonly since: number;
  readonly settle: (granted: boolean) => void;
}

/** Processes a few uploads at once, first come, first served. The memory that each holds limits how many can wait. */
export class UploadTurns {
  private free: number;
  private readonly queue: Waiting[] = [];

  /** `now` is in milliseconds. */
  constructor(
    atOnce = AT_ONCE,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.free = atOnce;
  }

  /** Returns a place that is not in the queue yet. */
  ask(): UploadTurn {
    const turn = { granted: false, left: false, waiting: undefined as Waiting | undefined };
    return {
      get granted() {
        return turn.granted;
      },
      wait: () =>
        new Promise((resolve) => {
          const settle = (granted: boolean): void => {
            turn.granted = granted;
            resolve(granted);
          };
          if (turn.left) return settle(false);
          turn.waiting = { since: this.now(), settle };
          this.queue.push(turn.waiting);
          this.serve();
        }),
      leave: () => {
        turn.left = true;
        if (turn.granted) this.free += 1;
        else this.giveUp(turn.waiting);
        turn.granted = false;
        this.serve();
      },
    };
  }

  private giveUp(waiting: Waiting | undefined): void {
    const at = waiting ? this.queue.indexOf(waiting) : -1;
    if (at !== -1) this.queue.splice(at, 1)[0]?.settle(false);
  }

  private serve(): void {
    while (this.free > 0) {
      const next = this.queue.shift();
      if (!next) return;
      const inTime = this.now() - next.since <= MOST_WAIT_MS;
      if (inTime) this.free -= 1;
      next.settle(inTime);
    }
  }
}
