import { EventStoreUnavailable } from '@ponte/event-sourcing';
import type { SqliteDatabase } from '../database';
import { connectionPragmas, sizeLimit } from '../database';
import type { Step, WriteFailure } from '../transactions';
import { transactions } from '../transactions';
import type { Written } from '../writer-thread';
import { startWriterThread } from '../writer-thread';
import type { Row } from './event-table';
import { stepsOf } from './event-table';

/** Writes groups of rows to the log, one group at a time. */
export interface LogWriter {
  /** Calls `written` once, possibly before it returns. `also` is part of the same transaction. */
  write(rows: readonly Row[], written: Written, also?: readonly Step[]): void;
  close(): Promise<void>;
}

/** Writes synchronously, over the connection that is used for reading. */
export function inlineWriter(db: SqliteDatabase): LogWriter {
  const carryOut = transactions(db, false);
  return {
    write: (rows, written, also = []) => written(carryOut([...stepsOf(rows), ...also])),
    close: async () => undefined,
  };
}

/** Writes in a thread; `db` is another connection to the same file. */
export function threadedWriter(
  file: string,
  durability: 'full' | 'off',
  db: SqliteDatabase,
  maxBytes: number | undefined,
): LogWriter {
  const limits = maxBytes === undefined ? [] : [sizeLimit(db, maxBytes)];
  const thread = startWriterThread({
    file,
    pragmas: [...connectionPragmas(durability, 'checkpoints'), ...limits],
    apart: false,
  });
  return {
    write: (rows, written, also = []) => thread.write([...stepsOf(rows), ...also], written),
    close: () => thread.close(),
  };
}

export const PROBE_SCHEMA =
  'CREATE TABLE IF NOT EXISTS log_probe (id INTEGER PRIMARY KEY CHECK (id = 1), bytes BLOB NOT NULL) STRICT;';
/** More than one page and one append: if the disk accepts this, it accepts the next events. */
const PROBE_BYTES = 65_536;
const PROBE: Step = [`INSERT OR REPLACE INTO log_probe (id, bytes) VALUES (1, zeroblob(${PROBE_BYTES}))`, []];
/** How long the last commit or failure counts as the current state, in milliseconds. After that, a write is tried. */
const FRESH_MS = 5_000;

/** Whether the log accepts events: known from the latest commit, or tested by writing data that is not an event. */
export class WriteProbe {
  private failure: EventStoreUnavailable | undefined;
  private at = -Infinity;
  private trying: Promise<void> | undefined;

  constructor(
    private readonly writer: LogWriter,
    private readonly stopped: () => EventStoreUnavailable | undefined,
  ) {}

  /** Records the outcome of a transaction. A refused row says nothing about the disk. */
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

/** Uses SQLite's error code, because its message may contain file names. */
const unwritable = ({ message, code }: WriteFailure): EventStoreUnavailable => {
  const what = code === 'SQLITE_FULL' ? 'the disk is full' : code || 'the write failed';
  return new EventStoreUnavailable(`the event log cannot be written: ${what}`, {
    cause: Object.assign(new Error(message), { code }),
  });
};
