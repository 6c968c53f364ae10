import type { Position } from './event';

/**
 * Durable positions in the log, one per reader. After a crash a reader may fall back a little but never skips events.
 */
export interface Checkpoints {
  load(reader: string): Promise<Position | undefined>;
  /** False, without saving, if a later holder of the reader's lease has already written. */
  save(reader: string, position: Position, fence?: number): Promise<boolean>;
  /** Records for operators why a reader cannot advance, at an ISO time; null clears it. */
  trouble?(reader: string, trouble: string | null, at: string): Promise<void>;
}

export interface LeaseGrant {
  /** Increases with each holder; writes with a lower number are refused. */
  readonly fence: number;
  /** Aborts when the lease is lost. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Ensures that a job runs in one process at a time. */
export interface Lease {
  /** Waits until this process holds the lease, or until the signal aborts (then undefined). */
  acquire(name: string, signal: AbortSignal): Promise<LeaseGrant | undefined>;
}
