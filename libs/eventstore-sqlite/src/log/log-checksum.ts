import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';
import type { Row } from './event-table';
import type { Step } from '../transactions';

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
