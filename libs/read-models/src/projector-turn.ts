import type { LeaseGrant, LogSlice, LogSubscription, Position } from '@ponte/event-sourcing';
import { pause } from '@ponte/concurrency';
import type { ProjectorOptions } from './projector-options';
import { waitToRetry } from './projector-options';
import { assertWithinLog, PositionBeyondLog, failureText, safeError } from '@ponte/event-sourcing';

/** Where a rewind of the turn at hand waits. */
interface Rewind {
  readonly place: (fence: number) => Promise<void>;
  readonly settle: (done: Promise<boolean>) => void;
}

/** What came since is seen again after a crash; each projector of each process writes its place so often. */
const SAVE_EVERY_MS = 250;
/** Between two looks at the end of a log that others write too. */
const HEAD_LAG_MS = 1_000;
/**
 * So many events in a slice are worth their transaction: they came while the last one was handled, and no breath is
 * needed to collect more.
 */
const WORTH_EVENTS = 32;

/** From the grant of the lease to its end. */
export class ProjectorTurn {
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
      await assertWithinLog(store, this.done, async () => {
        await pause(HEAD_LAG_MS, this.signal);
        this.signal.throwIfAborted();
      });
    } catch (error) {
      if (!(error instanceof PositionBeyondLog) || this.done === undefined) throw error;
      if (!this.refused.has(this.done))
        logger.error(
          { projector: name, error: safeError(error) },
          'the position of a reader is beyond the end of the log; the reader has stopped',
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
        this.options.logger.error(fields, 'a projector cannot process a part of the log and retries it');
      }
      await waitToRetry(this.options, failures + 1, this.signal);
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
    if (lingerMs !== undefined) await pause(lingerMs, this.signal);
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
