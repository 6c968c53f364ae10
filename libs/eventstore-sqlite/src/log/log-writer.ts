import { EventStoreUnavailable } from '@ponte/event-sourcing';
import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
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

/** Number of events between two stored checksums. */
const CHECKSUM_EVERY = 1_000;

/**
 * Each checksum covers everything up to its position, because it includes the previous checksum. An older log without
 * checksums starts with an empty one at the position where a release with checksums first opened it.
 */
export const CHECKSUM_SCHEMA =
  'CREATE TABLE IF NOT EXISTS log_checksums (position INTEGER PRIMARY KEY, digest TEXT NOT NULL) STRICT;';

export interface Checksum {
  readonly position: number;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}

const INSERT = 'INSERT OR REPLACE INTO log_checksums (position, digest) VALUES (?, ?)';

export const checksumStep = ({ position, digest }: Checksum): Step => [INSERT, [position, digest]];

/** The checksum of a log, updated as events are added in the order of their positions. */
export class RunningChecksum {
  private hash: Hash;
  private at: number;

  /** `start` is the stored checksum before the next events. */
  constructor(private start: Checksum) {
    this.at = start.position;
    this.hash = createHash('sha256').update(start.digest);
  }

  get position(): number {
    return this.at;
  }

  /** The checksum of everything added so far. */
  get current(): Checksum {
    return this.at === this.start.position ? this.start : { position: this.at, digest: this.hash.copy().digest('hex') };
  }

  /** Returns the checksum to store after every thousandth event, else undefined. */
  add({ position, stream, revision, body }: Row): Checksum | undefined {
    // JSON contains no unescaped line feed, so different logs never produce the same input.
    this.hash.update(`${position} ${revision} ${stream}\n${body}\n`);
    this.at = position;
    if (position % CHECKSUM_EVERY !== 0) return undefined;
    this.start = { position, digest: this.hash.digest('hex') };
    this.hash = createHash('sha256').update(this.start.digest);
    return this.start;
  }
}

const POSITION_DIGITS = 15;
const CHECK_DIGITS = 16;

/**
 * Records in a file beside the log where it ends and with which checksum, so that a truncated log is not mistaken for a
 * shorter one. It is written after each commit without waiting for the disk: after a power failure it may be older than
 * the log, but never newer.
 */
export class HeadMark {
  private file: number | undefined;

  constructor(private readonly path: string) {}

  /** Undefined if the file is missing or incomplete. */
  read(): Checksum | undefined {
    try {
      const [position = '', digest = '', check = ''] = readFileSync(this.path, 'utf8').trim().split(' ');
      return check === checkOf(`${position} ${digest}`) ? { position: Number(position), digest } : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Overwrites the previous mark, which has the same length. */
  write({ position, digest }: Checksum): void {
    this.file ??= openSync(this.path, constants.O_RDWR | constants.O_CREAT, 0o600);
    const text = `${String(position).padStart(POSITION_DIGITS, '0')} ${digest}`;
    writeSync(this.file, `${text} ${checkOf(text)}\n`, 0);
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }
}

const checkOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, CHECK_DIGITS);
