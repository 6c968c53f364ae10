import { AppendOutcomeUnknown, EventStoreUnavailable } from '@ponte/event-sourcing';
import type { Known, Waiting } from './append-batch';
import { AppendBatch } from './append-batch';
import { isDamage } from './log-damage';
import type { LogWriter } from './log-writer';
import type { WriteFailure } from '../transactions';

/** Appends in one transaction: bounds how long the first of them waits for the last. */
const MAX_GROUP = 2_048;
/** Appends that may wait; beyond it the disk cannot keep up and appends are refused at once. */
const MAX_WAITING = 50_000;

export interface GroupCommitOptions {
  /** What is known of the log as it stands. */
  readonly known: Known;
  readonly writer: LogWriter;
  /** A batch was kept. Called before anybody is answered. */
  readonly kept: (batch: AppendBatch) => void;
  /** A batch was answered. */
  readonly answered: (batch: AppendBatch) => void;
  /** What is believed of the log must be looked up again. */
  readonly forget: () => void;
}

/**
 * Commits appends in groups, one at a time: what arrives while a group is on its way to the disk is the next one, and
 * each group is judged when the one before it is in the log.
 */
export class GroupCommit {
  private queue: Waiting[] = [];
  private scheduled = false;
  private writing = false;
  private idle: (() => void) | undefined;
  /** Why no more is accepted. */
  private stopped: EventStoreUnavailable | undefined;

  constructor(private readonly options: GroupCommitOptions) {}

  /** Throws when it cannot be accepted. */
  add(append: Waiting): void {
    if (this.stopped) throw this.stopped;
    if (this.queue.length >= MAX_WAITING) throw new EventStoreUnavailable('too many appends are waiting for the disk');
    this.queue.push(append);
    this.schedule();
  }

  /** Nothing more is written: the file is damaged, or cannot be relied on. The first reason stays. */
  stop(reason: EventStoreUnavailable): void {
    this.stopped ??= reason;
  }

  /** Why nothing is written any more; undefined while it is. */
  get stoppedBy(): EventStoreUnavailable | undefined {
    return this.stopped;
  }

  /** What waits is written and answered first; the caller sees to it that nothing more comes. */
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
    // A second turn of the loop: what the sockets brought meanwhile joins the group. Alone, a turn costs next to
    // nothing.
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

  /** Checks a group and writes what is accepted of it. */
  private write(group: readonly Waiting[], assumeNew = true): void {
    const batch = this.judge(group, assumeNew);
    if (!batch) return;
    if (batch.rows.length === 0) return this.finish(batch);
    this.options.writer.write(batch.rows, (outcome) => {
      if (!('committing' in outcome)) this.finish(batch);
      else if (batch.assumedNew && isDuplicate(outcome)) this.write(group, false);
      else this.fail(group, outcome);
    });
  }

  /** Undefined when it cannot be decided; then every caller in the group has got the error. */
  private judge(group: readonly Waiting[], assumeNew: boolean): AppendBatch | undefined {
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
   * A failure before the commit kept nothing. One of the commit itself may have reached the disk and may come back
   * after a crash: nothing more is written on top of it until the file has been opened, and so recovered, again.
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

/** Nothing was written, since an event stands at one of the places already. */
const isDuplicate = ({ code, stuck }: WriteFailure): boolean => code === 'SQLITE_CONSTRAINT_UNIQUE' && !stuck;

/** A file that is damaged is not written to any more; it can still be read where it is whole. */
export const damaged = (cause: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable(
    'the event log is damaged and accepts no more events; stop the process and run "npm run admin -- log check"',
    { cause },
  );

/** The error that callers get for a failure to read or write. */
export const asUnavailable = (error: unknown): EventStoreUnavailable =>
  error instanceof EventStoreUnavailable
    ? error
    : new EventStoreUnavailable('the event store cannot read or write its file', { cause: error });
