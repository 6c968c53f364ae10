import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import type { Step } from '../transactions';
import type { Row } from './event-table';

/** Events from one stored checksum to the next. */
export const CHECKSUM_EVERY = 1_000;

/**
 * A checksum of everything up to its position, each taken over the one before it. An older log without checksums begins
 * with an empty one at the position where it was first opened by a release that has them.
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

/** The checksum of a log as events are added to it, in the order of their positions. */
export class RunningChecksum {
  private hash: Hash;
  private at: number;

  /** `start`: the stored checksum that the next events follow. */
  constructor(private start: Checksum) {
    this.at = start.position;
    this.hash = createHash('sha256').update(start.digest);
  }

  get position(): number {
    return this.at;
  }

  /** Of everything that was added so far. */
  get current(): Checksum {
    return this.at === this.start.position ? this.start : { position: this.at, digest: this.hash.copy().digest('hex') };
  }

  /** Answers the checksum that is to be stored when the event is the last of a thousand. */
  add({ position, stream, revision, body }: Row): Checksum | undefined {
    // JSON has no bare line feed, so no two logs feed the hash alike.
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
 * Says beside the log where it ends and with which checksum, so that a log whose end was cut off does not pass for a
 * shorter one. It is written after each commit and not waited for: when the power goes it may be older than the log,
 * and never newer.
 */
export class HeadMark {
  private file: number | undefined;

  constructor(private readonly path: string) {}

  /** Undefined when it is missing or incomplete. */
  read(): Checksum | undefined {
    try {
      const [position = '', digest = '', check = ''] = readFileSync(this.path, 'utf8').trim().split(' ');
      return check === checkOf(`${position} ${digest}`) ? { position: Number(position), digest } : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Always the same length, over what was there. */
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
