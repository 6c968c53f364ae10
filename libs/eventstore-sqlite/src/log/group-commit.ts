import { AppendOutcomeUnknown, EventStoreUnavailable } from '@ponte/event-sourcing';
import type { Known, Waiting } from './append-batch';
import { AppendBatch } from './append-batch';
import { isDamage } from './log-damage';
import type { LogWriter } from './log-writer';
import type { WriteFailure } from '../transactions';

/** The largest number of appends in one transaction; limits how long the first append waits for the last one. */
const MAX_GROUP = 2_048;
/** The largest number of waiting appends. If more arrive, the disk cannot keep up, and they are refused at once. */
const MAX_WAITING = 50_000;

interface GroupCommitOptions {
  /** The current state of the log. */
  readonly known: Known;
  readonly writer: LogWriter;
  /** Called when a batch is durable, before its callers are answered. */
  readonly kept: (batch: AppendBatch) => void;
  /** Called after the callers of a batch were answered. */
  readonly answered: (batch: AppendBatch) => void;
  /** Called when cached facts about the log must be read again. */
  readonly forget: () => void;
}

/**
 * Commits appends in groups, one at a time. Appends that arrive while a group is being written form the next group, and
 * each group is checked when the one before it is in the log.
 */
export class GroupCommit {
  private queue: Waiting[] = [];
  private scheduled = false;
  private writing = false;
  private idle: (() => void) | undefined;
  /** The reason why no more appends are accepted. */
  private stopped: EventStoreUnavailable | undefined;

  constructor(private readonly options: GroupCommitOptions) {}

  /** Throws if the append cannot be accepted. */
  add(append: Waiting): void {
    if (this.stopped) throw this.stopped;
    if (this.queue.length >= MAX_WAITING) throw new EventStoreUnavailable('too many appends are waiting for the disk');
    this.queue.push(append);
    this.schedule();
  }

  /** Stops writing because the file is damaged or unreliable. The first reason is kept. */
  stop(reason: EventStoreUnavailable): void {
    this.stopped ??= reason;
  }

  /** The reason why writing has stopped; undefined while it has not. */
  get stoppedBy(): EventStoreUnavailable | undefined {
    return this.stopped;
  }

  /** Waiting appends are written and answered first. The caller must ensure that no more arrive. */
  async close(): Promise<void> {
    while (this.writing || this.queue.length > 0) {
      if (this.writing)
        await new Promise<void>((resolve) => {
          this.idle = resolve;
        });
      else this.commit();
    }
    this.stopped ??= new EventStoreUnavailable('the event store is closed');
    await this.options.writer.close();
  }

  private schedule(): void {
    if (this.scheduled || this.writing) return;
    this.scheduled = true;
    // Waits for a second turn of the event loop, so that appends from sockets can join the group. Without other work,
    // a turn costs almost nothing.
    setImmediate(() =>
      setImmediate(() => {
        this.scheduled = false;
        if (!this.writing) this.commit();
      }),
    );
  }

  private commit(): void {
    if (this.queue.length === 0) return;
    this.writing = true;
    this.write(this.queue.splice(0, MAX_GROUP));
  }

  /** Checks a group and writes the accepted appends. */
  private write(group: readonly Waiting[], assumeNew = true): void {
    const batch = this.check(group, assumeNew);
    if (!batch) return;
    if (batch.rows.length === 0) return this.finish(batch);
    this.options.writer.write(batch.rows, (outcome) => {
      if (!('committing' in outcome)) this.finish(batch);
      else if (batch.assumedNew && isDuplicate(outcome)) this.write(group, false);
      else this.fail(group, outcome);
    });
  }

  /** Undefined if the group cannot be checked; its callers have then got the error. */
  private check(group: readonly Waiting[], assumeNew: boolean): AppendBatch | undefined {
    try {
      if (this.stopped) throw this.stopped;
      return new AppendBatch(this.options.known, group, assumeNew);
    } catch (error) {
      this.refuse(group, error);
      return undefined;
    }
  }

  private finish(batch: AppendBatch): void {
    this.options.kept(batch);
    this.writing = false;
    batch.answer();
    this.options.answered(batch);
    this.next();
  }

  /**
   * If the failure was before the commit, nothing was written. If the commit itself failed, the rows may have reached
   * the disk and may reappear after a crash, so nothing more is written until the file has been opened, and thereby
   * recovered, again.
   */
  private fail(group: readonly Waiting[], { message, code, committing, stuck }: WriteFailure): void {
    const cause = Object.assign(new Error(message), { code });
    const unknown = committing && code !== 'SQLITE_FULL';
    if (isDamage(cause)) this.stop(damaged(cause));
    if (stuck)
      this.stopped ??= new EventStoreUnavailable('the event store stopped after a failed write; restart it', { cause });
    if (unknown)
      this.stopped ??= new EventStoreUnavailable('the event store stopped after a failed commit; restart it', {
        cause,
      });
    this.refuse(group, cause, unknown);
  }

  private refuse(group: readonly Waiting[], error: unknown, unknown = false): void {
    if (isDamage(error)) this.stop(damaged(error));
    this.options.forget();
    this.writing = false;
    for (const { stream, failed } of group)
      failed(unknown ? new AppendOutcomeUnknown(stream, { cause: error }) : asUnavailable(error));
    this.next();
  }

  private next(): void {
    this.idle?.();
    this.idle = undefined;
    if (this.queue.length > 0) this.schedule();
  }
}

/** True if nothing was written because an event already has one of the revisions. */
const isDuplicate = ({ code, stuck }: WriteFailure): boolean => code === 'SQLITE_CONSTRAINT_UNIQUE' && !stuck;

/** A damaged file is not written to any more. Its undamaged parts can still be read. */
export const damaged = (cause: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable(
    'the event log is damaged and accepts no more events; stop the process and run "npm run admin -- log check"',
    { cause },
  );

/** The error that callers get for a failed read or write. */
export const asUnavailable = (error: unknown): EventStoreUnavailable =>
  error instanceof EventStoreUnavailable
    ? error
    : new EventStoreUnavailable('the event store cannot read or write its file', { cause: error });
