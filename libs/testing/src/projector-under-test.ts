import type { Checkpoints, EventStore, Lease, LogSlice } from '@ponte/event-sourcing';

/** The members of a projector that the suite needs. */
export interface RunningProjector {
  readonly caughtUp: Promise<void>;
  holds(): boolean;
  stop(): Promise<void>;
}

export interface ProjectorSettings {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly lease: Lease;
  readonly logger: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  readonly name: string;
  readonly categories?: readonly string[];
  readonly apply: (slice: LogSlice, fence: number) => Promise<void>;
  readonly batchSize?: number;
  readonly retryMs?: readonly number[];
}

export interface ProjectorUnderTest {
  readonly checkpoints: Checkpoints;
  readonly lease: Lease;
  run(settings: ProjectorSettings): RunningProjector;
  cleanUp(): Promise<void>;
}
