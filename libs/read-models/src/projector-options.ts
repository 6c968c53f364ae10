import { pause, retryDelay } from '@ponte/concurrency';
import type { Checkpoints, EngineLogger, EventStore, Lease, LogSlice } from '@ponte/event-sourcing';

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly lease: Lease;
  readonly logger: EngineLogger;
  /** Names the lease and the checkpoint. */
  readonly name: string;
  readonly categories?: readonly string[];
  /** Handles a slice that has events. May see a slice again, after a crash or when it failed halfway. */
  readonly apply: (slice: LogSlice, fence: number) => Promise<void>;
  /** At most so many events in a slice. */
  readonly batchSize?: number;
  /**
   * How long the projector waits at the head of the log, in milliseconds, so that the next slice has several events. It
   * does not wait behind the head.
   */
  readonly lingerMs?: number;
  /** Waits before another try of a failing slice, in milliseconds; the last is repeated for ever. */
  readonly retryMs?: readonly number[];
}

const RETRY_MS = [100, 250, 500, 1_000, 2_000, 5_000, 10_000];

/** Waits before the next try after so many failures; returns at once when aborted. */
export const waitToRetry = (
  { retryMs = RETRY_MS }: ProjectorOptions,
  failures: number,
  signal: AbortSignal,
): Promise<void> => pause(retryDelay(failures, retryMs), signal);
