import type { LeaseGrant, LogSlice, LogSubscription, Position } from '@ponte/event-sourcing';
import { pause } from '@ponte/concurrency';
import type { ProjectorOptions } from './projector-options';
import { waitToRetry } from './projector-options';
import { assertWithinLog, PositionBeyondLog, failureText, safeError } from '@ponte/event-sourcing';

/** A rewind that is requested during a turn. */
interface Rewind {
  readonly place: (fence: number) => Promise<void>;
  readonly settle: (done: Promise<boolean>) => void;
}

/**
 * Interval between saves of the checkpoint by each projector. After a crash, events since the last save are seen again.
 */
const SAVE_EVERY_MS = 250;
/** Pause between two reads of the end of a log that other processes write too. */
const HEAD_LAG_MS = 1_000;
/**
 * A slice of at least this many events is worth its transaction. They arrived while the last slice was handled, so
 * waiting to collect more is not needed.
 */
const WORTH_EVENTS = 32;

/** One turn of a projector: from the grant of the lease to its end. */
export class ProjectorTurn {
  private done: Position | undefined;
  private saved: Position | undefined;
  /** True when a newer holder of the lease has saved its checkpoint. */
  private outrun = false;
  private rewinding: Rewind | undefined;
  /** Set when a slice was applied, which clears the failure reported by an earlier holder. */
  private isWell = false;
  private subscription: LogSubscription | undefined;
  private saver: NodeJS.Timeout | undefined;
  private saves: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: ProjectorOptions,
    private readonly grant: LeaseGrant,
    private readonly signal: AbortSignal,
    private readonly caughtUp: () => void,
    /**
     * Positions that were beyond the end of the log. If the log has grown past one of them, its events up to there were
     * still never applied.
     */
    private readonly refused: Set<Position>,
  ) {}

  async run(): Promise<void> {
    const { store, checkpoints, name, categories, batchSize } = this.options;
    this.done = this.saved = await checkpoints.load(name);
    if (this.done !== undefined && this.refused.has(this.done)) await this.assertPlace();
    const goal = await store.head();
    // The subscription fails at a position beyond the end, so that the store reports which of its readers has stopped.
    if (this.done === undefined || (goal !== undefined && store.comparePositions(this.done, goal) <= 0))
      this.reportIfCaughtUp(goal);
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
    } catch (error) {
      if (error instanceof PositionBeyondLog) await this.assertPlace();
      throw error;
    } finally {
      clearTimeout(this.saver);
      this.signal.removeEventListener('abort', close);
      await subscription.close();
      await this.save().finally(() => this.carryOutRewind());
    }
  }

  /** Throws while the position is, or once was, beyond the end of the log: an operator has to move the projector. */
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
      this.report(failureText(error));
      throw error;
    }
  }

  /** One rewind at a time; a second caller gets false. */
  rewind(place: (fence: number) => Promise<void>): Promise<boolean> {
    if (this.rewinding || !this.subscription) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.rewinding = { place, settle: resolve };
      void this.subscription?.close();
    });
  }

  /** This turn can no longer save its checkpoint: a save still in progress carries a lower fence. */
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
      this.reportIfCaughtUp(goal);
      // A store that cannot report the end of its log delivers what has arrived. A small slice means that the head is
      // near.
      if (slice.events.length > 0 && (slice.caughtUp || slice.events.length < WORTH_EVENTS)) await this.linger();
      if (this.outrun || this.rewinding || this.signal.aborted) return;
    }
  }

  /** False if the turn was stopped before the slice was applied. */
  private async applied(slice: LogSlice): Promise<boolean> {
    for (let failures = 0; !this.signal.aborted && !this.rewinding; failures += 1) {
      try {
        await this.options.apply(slice, this.grant.fence);
        if (failures > 0 || !this.isWell) this.report(null);
        this.isWell = true;
        return true;
      } catch (error) {
        this.report(failureText(error));
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

  /** Reports to operators. A failed report is ignored. */
  private report(trouble: string | null): void {
    const { checkpoints, name } = this.options;
    checkpoints.trouble?.(name, trouble, new Date().toISOString()).catch(() => undefined);
  }

  private async linger(): Promise<void> {
    const { lingerMs } = this.options;
    if (lingerMs !== undefined) await pause(lingerMs, this.signal);
  }

  private reportIfCaughtUp(goal: Position | undefined): void {
    if (goal === undefined || (this.done !== undefined && this.options.store.comparePositions(this.done, goal) >= 0))
      this.caughtUp();
  }

  /** Sets the timer only after progress: a dozen idle readers waking four times a second use noticeable CPU time. */
  private saveSoon(): void {
    this.saver ??= setTimeout(() => {
      this.saver = undefined;
      this.save().catch(() => this.saveSoon());
    }, SAVE_EVERY_MS).unref();
  }

  /** Saves one position after the other, so that a slow save never overwrites a newer position. */
  private save(): Promise<void> {
    return (this.saves = this.saves.catch(() => undefined).then(() => this.saveNow()));
  }

  private async saveNow(): Promise<void> {
    if (this.done === undefined || this.done === this.saved) return;
    const position = this.done;
    this.outrun = !(await this.options.checkpoints.save(this.options.name, position, this.grant.fence));
    if (!this.outrun) this.saved = position;
  }
}
