import { EventStoreUnavailable } from '@ponte/event-sourcing';
import type { LogWriter } from './log-writer';
import type { Step, WriteFailure } from './transactions';

export const PROBE_SCHEMA =
  'CREATE TABLE IF NOT EXISTS log_probe (id INTEGER PRIMARY KEY CHECK (id = 1), bytes BLOB NOT NULL) STRICT;';
/** More than one page and one append: a disk that takes this takes the next events. */
const PROBE_BYTES = 65_536;
const PROBE: Step = [`INSERT OR REPLACE INTO log_probe (id, bytes) VALUES (1, zeroblob(${PROBE_BYTES}))`, []];
/** How long the last commit or failure counts as the current state; after that a write is tried. */
const FRESH_MS = 5_000;

/** Whether the log takes events: known from the latest commit, or else tried by writing something that is no event. */
export class WriteProbe {
  private failure: EventStoreUnavailable | undefined;
  private at = -Infinity;
  private trying: Promise<void> | undefined;

  constructor(
    private readonly writer: LogWriter,
    private readonly stopped: () => EventStoreUnavailable | undefined,
  ) {}

  /** A transaction was written, or not. A refused row says nothing about the disk. */
  saw(failure: WriteFailure | undefined): void {
    if (failure?.code.startsWith('SQLITE_CONSTRAINT')) return;
    this.failure = failure && unwritable(failure);
    this.at = performance.now();
  }

  async writable(): Promise<void> {
    if (performance.now() - this.at > FRESH_MS)
      await (this.trying ??= this.attempt().finally(() => {
        this.trying = undefined;
      }));
    const failure = this.stopped() ?? this.failure;
    if (failure) throw failure;
  }

  private async attempt(): Promise<void> {
    if (this.stopped()) return;
    await new Promise<void>((tried) => {
      this.writer.write(
        [],
        (outcome) => {
          this.saw('committing' in outcome ? outcome : undefined);
          tried();
        },
        [PROBE],
      );
    });
  }
}

/** SQLite's own name of the failure; its message could name files. */
const unwritable = ({ message, code }: WriteFailure): EventStoreUnavailable => {
  const what = code === 'SQLITE_FULL' ? 'the disk is full' : code || 'the write failed';
  return new EventStoreUnavailable(`the event log cannot be written: ${what}`, {
    cause: Object.assign(new Error(message), { code }),
  });
};
