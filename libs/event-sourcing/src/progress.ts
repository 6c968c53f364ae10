import type { Position } from './event';

/** Durable places in the log, one per reader. A reader may fall back a little after a crash, never jump ahead. */
export interface Checkpoints {
  load(reader: string): Promise<Position | undefined>;
  /** Refused (false) when a newer holder of the reader's lease has already written. */
  save(reader: string, position: Position, fence?: number): Promise<boolean>;
  /** Notes for operators what keeps a reader from passing, at an ISO time; null: it passes again. */
  trouble?(reader: string, trouble: string | null, at: string): Promise<void>;
}

export interface LeaseGrant {
  /** Grows with every holder; writes that carry an older number are refused. */
  readonly fence: number;
  /** Aborts when the lease is lost. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Makes one process the only one that runs a job. */
export interface Lease {
  /** Waits until the lease is ours or the signal aborts (then undefined). */
  acquire(name: string, signal: AbortSignal): Promise<LeaseGrant | undefined>;
}
