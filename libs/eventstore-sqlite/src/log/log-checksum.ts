import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import type { Step } from '../transactions';
import type { Row } from './event-table';

/** Number of events between two stored checksums. */
export const CHECKSUM_EVERY = 1_000;

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
