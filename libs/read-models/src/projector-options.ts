import { pause, retryDelay } from '@ponte/concurrency';
import type { Checkpoints, EngineLogger, EventStore, Lease, LogSlice } from '@ponte/event-sourcing';

export interface ProjectorOptions {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly lease: Lease;
  readonly logger: EngineLogger;
  /** Name of the lease and the checkpoint. */
  readonly name: string;
  readonly categories?: readonly string[];
  /** Handles a slice with events. May get a slice again, after a crash or after it failed halfway. */
  readonly apply: (slice: LogSlice, fence: number) => Promise<void>;
  /** The largest number of events in a slice. */
  readonly batchSize?: number;
  /**
   * How long the projector waits at the head of the log, in milliseconds, so that the next slice has several events. It
   * does not wait while it is behind.
   */
  readonly lingerMs?: number;
  /** Delays before a failed slice is retried, in milliseconds. The last one is repeated without limit. */
  readonly retryMs?: readonly number[];
}

const RETRY_MS = [100, 250, 500, 1_000, 2_000, 5_000, 10_000];

/** Waits before the next attempt after this many failures; returns at once when aborted. */
export const waitToRetry = (
  { retryMs = RETRY_MS }: ProjectorOptions,
  failures: number,
  signal: AbortSignal,
): Promise<void> => pause(retryDelay(failures, retryMs), signal);
