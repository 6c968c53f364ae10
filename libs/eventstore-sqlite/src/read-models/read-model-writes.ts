import type { Outcome, Step, StepFailure } from '../transactions';
import type { WriterThread } from '../writer-thread';

const noop = (): void => undefined;

interface WaitingStep {
  readonly step: Step;
  readonly kept: (changes: number) => void;
  readonly failed: (reason: Error) => void;
}

/**
 * Sends statements to the writer thread. Those of one turn of the event loop, or that arrive while a transaction is in
 * progress, form one transaction. Each is answered when its transaction is in the file, and a statement that SQLite
 * refuses fails alone.
 *
 * A caller that needs exclusive access waits for running transactions and blocks new ones.
 */
export class ReadModelWrites {
  private waiting: WaitingStep[] = [];
  private scheduled = false;
  private writing = false;
  private idle: (() => void) | undefined;
  /** Resolves when exclusive access ends. */
  private closed: Promise<void> | undefined;
  private reopen: (() => void) | undefined;
  private ended = false;
  /** Resolves at the end of the latest write; earlier ones end no later. */
  private last: Promise<void> | undefined;

  constructor(private readonly thread: WriterThread) {}

  /** Returns the number of changed rows. */
  async write(step: Step): Promise<number> {
    // Checked again after each wait: another caller may have got exclusive access first.
    while (this.isClosed) await this.opening();
    const written = new Promise<number>((kept, failed) => {
      this.waiting.push({ step, kept, failed });
      this.schedule();
    });
    this.last = written.then(noop, noop);
    return written;
  }

  /** Resolves when everything requested so far has been written or refused; undefined if nothing is pending. */
  get pending(): Promise<void> | undefined {
    return this.writing || this.waiting.length > 0 ? this.last : undefined;
  }

  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  /** Resolves when exclusive access ends; rejects after {@link end}. */
  async opening(): Promise<void> {
    if (!this.ended) await this.closed;
    if (this.ended) throw new Error('the database of the read models is closed');
  }

  /** Resolves when the caller has exclusive access, which {@link open} ends. */
  async close(): Promise<void> {
    while (this.isClosed) await this.opening();
    this.closed = new Promise((resolve) => {
      this.reopen = resolve;
    });
    if (this.waiting.length > 0 || this.writing)
      await new Promise<void>((resolve) => {
        this.idle = resolve;
      });
  }

  open(): void {
    this.closed = undefined;
    this.reopen?.();
  }

  /** Ends all access: waiting and later calls are refused. */
  async end(): Promise<void> {
    await this.close();
    this.ended = true;
    this.reopen?.();
  }

  private schedule(): void {
    if (this.scheduled || this.writing) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    const group = this.waiting;
    this.waiting = [];
    this.writing = true;
    this.thread.write(
      group.map(({ step }) => step),
      (outcome) => {
        this.writing = false;
        answer(group, outcome);
        if (this.waiting.length > 0) return this.schedule();
        this.idle?.();
        this.idle = undefined;
      },
    );
  }
}

function answer(group: readonly WaitingStep[], outcome: Outcome): void {
  group.forEach(({ kept, failed }, at) => {
    const own = 'committing' in outcome ? outcome : outcome[at];
    if (typeof own === 'number') kept(own);
    else failed(errorOf(own));
  });
}

const errorOf = (failure: StepFailure | undefined): Error =>
  Object.assign(new Error(failure?.message ?? 'a statement got no response'), { code: failure?.code ?? '' });
