/** The number of bodies processed at once. Processing a body of 10 MB takes about 90 MB of memory. */
const AT_ONCE = 1;
/**
 * The longest wait in milliseconds; after it the caller has to retry. It is longer than the deadline of a request, so
 * an account whose turn is next outlasts the slowest upload.
 */
const MAX_WAIT_MS = 12_000;
/** The number of uploads of one account that may wait. */
const MAX_WAITING_PER_ACCOUNT = 8;

/** A place in the queue. */
interface UploadTurn {
  readonly granted: boolean;
  /**
   * Resolves to true when it is this upload's turn, and to false if that took too long, the place was given up, or too
   * many uploads of the account wait already.
   */
  wait(): Promise<boolean>;
  /** Gives up the turn or the place in the queue. */
  leave(): void;
}

interface WaitingUpload {
  readonly since: number;
  readonly settle: (granted: boolean) => void;
}

/**
 * Processes a few uploads at once. The next turn goes to the account that has waited longest since its last one ended,
 * so slow uploads of one account delay another account by one upload at most. Uploads of one account are served in
 * order. The memory that each holds limits how many can wait in total.
 */
export class UploadTurns {
  private free: number;
  /** The waiting uploads of each account that has any. The account whose turn is next comes first. */
  private readonly queues = new Map<string, WaitingUpload[]>();

  /** `now` is in milliseconds. */
  constructor(
    atOnce = AT_ONCE,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.free = atOnce;
  }

  /** Returns a place of the account that is not in the queue yet. */
  ask(accountId: string): UploadTurn {
    const turn = { granted: false, left: false, waiting: undefined as WaitingUpload | undefined };
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
          this.enqueue(accountId, turn.waiting);
          this.serve();
        }),
      leave: () => {
        turn.left = true;
        if (turn.granted) {
          this.free += 1;
          this.moveToEnd(accountId);
        } else this.giveUp(accountId, turn.waiting);
        turn.granted = false;
        this.serve();
      },
    };
  }

  private enqueue(accountId: string, waiting: WaitingUpload): void {
    this.refuseLate();
    const queue = this.queues.get(accountId) ?? [];
    if (queue.length >= MAX_WAITING_PER_ACCOUNT) return waiting.settle(false);
    queue.push(waiting);
    this.queues.set(accountId, queue);
  }

  private giveUp(accountId: string, waiting: WaitingUpload | undefined): void {
    const queue = this.queues.get(accountId);
    const at = queue && waiting ? queue.indexOf(waiting) : -1;
    if (!queue || at === -1) return;
    queue.splice(at, 1)[0]?.settle(false);
    if (queue.length === 0) this.queues.delete(accountId);
  }

  private moveToEnd(accountId: string): void {
    const queue = this.queues.get(accountId);
    if (!queue) return;
    this.queues.delete(accountId);
    if (queue.length > 0) this.queues.set(accountId, queue);
  }

  private refuseLate(): void {
    const tooOld = this.now() - MAX_WAIT_MS;
    for (const [accountId, queue] of this.queues) {
      while (queue[0] && queue[0].since < tooOld) queue.shift()?.settle(false);
      if (queue.length === 0) this.queues.delete(accountId);
    }
  }

  private serve(): void {
    this.refuseLate();
    while (this.free > 0) {
      const [next] = this.queues;
      if (!next) return;
      const [accountId, queue] = next;
      const waiting = queue.shift();
      this.moveToEnd(accountId);
      this.free -= 1;
      waiting?.settle(true);
    }
  }
}
