import { setTimeout as pause } from 'node:timers/promises';
import { whileLeased } from '@ponte/concurrency';
import type {
  Checkpoints,
  EventStore,
  Lease,
  LeaseGrant,
  LogSlice,
  LogSubscription,
  Position,
  EngineLogger,
} from '@ponte/event-sourcing';
import { assertWithinLog, PositionBeyondLog, failureText, safeError } from '@ponte/event-sourcing';

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly lease: Lease;
  readonly logger: EngineLogger;
  /** Names the lease and the checkpoint. */
  readonly name: string;
  readonly categories?: readonly string[];
  /** Handles a slice that has events. May see a slice again, after a crash or when it failed halfway. */
  readonly apply: (slice: LogSlice, fence: number) => Promise<void>;
  /** At most so many events in a slice. */
  readonly batchSize?: number;
  /**
   * How long the projector waits at the head of the log, in milliseconds, so that the next slice has several events. It
   * does not wait behind the head.
   */
  readonly lingerMs?: number;
  /** Waits before another try of a failing slice, in milliseconds; the last is repeated for ever. */
  readonly retryMs?: readonly number[];
}

export interface Projector {
  /** Resolves once it has seen everything that was in the log when it got the lease. */
  readonly caughtUp: Promise<void>;
  /** Lets the slice at hand finish (or give up, when it keeps failing), and keeps the checkpoint. */
  stop(): Promise<void>;
  /**
   * Begins again elsewhere: `place` writes the place under the fence that it is given, which is above that of this
   * holder, and the next turn goes on from there. False when this process does not hold the lease, and when it stops
   * meanwhile.
   */
  rewind(place: (fence: number) => Promise<void>): Promise<boolean>;
  /** Whether this process holds the lease and reads. */
  holds(): boolean;
}

/** Where a rewind of the turn at hand waits. */
interface Rewind {
  readonly place: (fence: number) => Promise<void>;
  readonly settle: (done: Promise<boolean>) => void;
}

const RETRY_MS = [100, 250, 500, 1_000, 2_000, 5_000, 10_000];
/** What came since is seen again after a crash; each projector of each process writes its place so often. */
const SAVE_EVERY_MS = 250;
/** Between two looks at the end of a log that others write too. */
const HEAD_LAG_MS = 1_000;
/**
 * So many events in a slice are worth their transaction: they came while the last one was handled, and no breath is
 * needed to collect more.
 */
const WORTH_EVENTS = 32;

/**
 * Follows the log under a lease and never skips: a slice that fails is tried again until it passes. Processes update
 * their rows directly after an append; the projector covers what a crash left out.
 */
export function runProjector(options: ProjectorOptions): Projector {
  const stopping = new AbortController();
  let caughtUp = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    caughtUp = resolve;
  });
  const running: { turn?: Turn } = {};
  const ended = follow(options, stopping.signal, () => caughtUp(), running);
  return {
    holds: () => running.turn !== undefined,
    rewind: async (place) => (await running.turn?.rewind(place)) ?? false,
    caughtUp: first,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

async function follow(
  options: ProjectorOptions,
  signal: AbortSignal,
  caughtUp: () => void,
  running: { turn?: Turn },
): Promise<void> {
  const refused = new Set<Position>();
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await whileLeased(options.lease, options.name, signal, async (end, grant) => {
        running.turn = new Turn(options, grant, end, caughtUp, refused);
        await running.turn.run().finally(() => {
          running.turn = undefined;
        });
      });
    } catch (error) {
      options.logger.error(
        { projector: options.name, error: safeError(error) },
        'a projector lost the log and starts again',
      );
    }
    await wait(options, failures, signal);
  }
}

/** From the grant of the lease to its end. */
class Turn {
  private done: Position | undefined;
  private saved: Position | undefined;
  /** Someone newer holds the lease. */
  private outrun = false;
  private rewinding: Rewind | undefined;
  /** A slice passed, so the failure of an earlier holder is no longer reported. */
  private isWell = false;
  private subscription: LogSubscription | undefined;
  private saver: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: ProjectorOptions,
    private readonly grant: LeaseGrant,
    private readonly signal: AbortSignal,
    private readonly caughtUp: () => void,
    /**
     * Positions that were beyond the end of the log: it may have grown past them, and what it holds there was never
     * applied.
     */
    private readonly refused: Set<Position>,
  ) {}

  async run(): Promise<void> {
    const { store, checkpoints, name, categories, batchSize } = this.options;
    this.done = this.saved = await checkpoints.load(name);
    await this.assertPlace();
    const goal = await store.head();
    this.tellWhenThere(goal);
    const subscription = (this.subscription = store.subscribe({
      categories,
      batchSize,
      after: this.done,
      reader: name,
    }));
    const close = (): void => void subscription.close();
    this.signal.addEventListener('abort', close, { once: true });
    try {
      await this.read(subscription, goal);
    } finally {
      clearTimeout(this.saver);
      this.signal.removeEventListener('abort', close);
      await subscription.close();
      await this.save().finally(() => this.carryOutRewind());
    }
  }

  /** Throws while the place is one that the log has not, or had not: an operator has to put the projector elsewhere. */
  private async assertPlace(): Promise<void> {
    const { store, name, logger } = this.options;
    try {
      if (this.done !== undefined && this.refused.has(this.done))
        throw new PositionBeyondLog(this.done, await store.head());
      await assertWithinLog(store, this.done, () => pause(HEAD_LAG_MS, undefined, { signal: this.signal }));
    } catch (error) {
      if (!(error instanceof PositionBeyondLog) || this.done === undefined) throw error;
      if (!this.refused.has(this.done))
        logger.error(
          { projector: name, error: safeError(error) },
          'a reader stands beyond the end of the log and has stopped',
        );
      this.refused.add(this.done);
      this.tell(failureText(error));
      throw error;
    }
  }

  /** One at a time; a second caller gets false. */
  rewind(place: (fence: number) => Promise<void>): Promise<boolean> {
    if (this.rewinding || !this.subscription) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.rewinding = { place, settle: resolve };
      void this.subscription?.close();
    });
  }

  /** Nothing of this turn writes its place any more: what is still under way carries a fence that is too low. */
  private async carryOutRewind(): Promise<void> {
    if (!this.rewinding) return;
    const { place, settle } = this.rewinding;
    const done =
      this.signal.aborted || this.outrun ? Promise.resolve(false) : place(this.grant.fence + 1).then(() => true);
    settle(done);
    await done.catch(() => undefined);
  }

  private async read(subscription: LogSubscription, goal: Position | undefined): Promise<void> {
    if (this.signal.aborted) return;
    for await (const slice of subscription) {
      if (slice.events.length > 0 && !(await this.applied(slice))) return;
      this.done = slice.position;
      this.saveSoon();
      this.tellWhenThere(goal);
      // A store that cannot tell where its log ends hands over what has come: while that is little, the head is near.
      if (slice.events.length > 0 && (slice.caughtUp || slice.events.length < WORTH_EVENTS)) await this.linger();
      if (this.outrun || this.rewinding || this.signal.aborted) return;
    }
  }

  /** False when it was stopped before the slice passed. */
  private async applied(slice: LogSlice): Promise<boolean> {
    for (let failures = 0; !this.signal.aborted && !this.rewinding; failures += 1) {
      try {
        await this.options.apply(slice, this.grant.fence);
        if (failures > 0 || !this.isWell) this.tell(null);
        this.isWell = true;
        return true;
      } catch (error) {
        this.tell(failureText(error));
        const fields = {
          projector: this.options.name,
          position: slice.position,
          failures: failures + 1,
          error: safeError(error),
        };
        this.options.logger.error(fields, 'a projector cannot pass a part of the log and tries it again');
      }
      await wait(this.options, failures, this.signal);
    }
    return false;
  }

  /** For operators; not being heard is no reason to stop. */
  private tell(trouble: string | null): void {
    const { checkpoints, name } = this.options;
    checkpoints.trouble?.(name, trouble, new Date().toISOString()).catch(() => undefined);
  }

  private async linger(): Promise<void> {
    const { lingerMs } = this.options;
    if (lingerMs !== undefined) await pause(lingerMs, undefined, { signal: this.signal }).catch(() => undefined);
  }

  private tellWhenThere(goal: Position | undefined): void {
    if (goal === undefined || (this.done !== undefined && this.options.store.comparePositions(this.done, goal) >= 0))
      this.caughtUp();
  }

  /** A reader at rest has no timer: a dozen of them that look four times a second are felt. */
  private saveSoon(): void {
    this.saver ??= setTimeout(() => {
      this.saver = undefined;
      this.save().catch(() => this.saveSoon());
    }, SAVE_EVERY_MS).unref();
  }

  private async save(): Promise<void> {
    if (this.done === undefined || this.done === this.saved) return;
    const position = this.done;
    this.outrun = !(await this.options.checkpoints.save(this.options.name, position, this.grant.fence));
    if (!this.outrun) this.saved = position;
  }
}

async function wait({ retryMs = RETRY_MS }: ProjectorOptions, failures: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const ms = retryMs[Math.min(failures, retryMs.length - 1)] ?? 0;
  await pause(ms, undefined, { signal }).catch(() => undefined);
}
