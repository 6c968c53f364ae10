import type { EventToAppend, Position, Recorded } from '../event';

/** The expected revision of a stream that must not exist. */
export const NO_STREAM = -1;

export interface Appended {
  /** Revision and position of the last event of the append. */
  readonly revision: number;
  readonly position: Position;
}

/** A run of the log. `position` is the checkpoint after it and moves on even when the filter left nothing. */
export interface LogSlice {
  readonly events: readonly Recorded[];
  readonly position: Position;
  /** True when nothing newer was in the log at the time of reading. */
  readonly caughtUp: boolean;
}

export interface LogFilter {
  /** Stream categories to deliver; absent means all. */
  readonly categories?: readonly string[];
  /** Deliver what lies after this position; absent means from the beginning. */
  readonly after?: Position;
  /** At most so many events in a slice. */
  readonly batchSize?: number;
  /** Whose subscription it is, for metrics; no store looks at it. */
  readonly reader?: string;
}

/** Catches up and then stays live, in log order; asks for the next slice only when the consumer does. */
export interface LogSubscription extends AsyncIterable<LogSlice> {
  close(): Promise<void>;
}

export interface ReadOptions {
  /** First revision to read, 0 by default. */
  readonly from?: number;
  readonly limit?: number;
}

export interface NewestOptions {
  /** Stream categories to read. */
  readonly categories: readonly string[];
  /** At most so many events; fewer mean that the beginning of the log was reached. */
  readonly limit: number;
  /** Read what lies before this position; absent means from the end. */
  readonly before?: Position;
}

/**
 * The record of everything. Every adapter passes the contract suite of `@ponte/testing`.
 *
 * `append` resolves once the events are durable. It is all or nothing, and it is idempotent: the same ids at the same
 * expected revision are answered as the first time. It rejects with {@link WrongExpectedRevision} when the stream
 * stands elsewhere, with {@link AppendOutcomeUnknown} when the events may or may not have been written, and with
 * {@link EventStoreUnavailable} when they certainly were not.
 */
export interface EventStore {
  /**
   * True when only this process appends, and its appends reach the log in the order of the calls: then what it holds in
   * memory is the log, and a command may be decided on events that are still being written.
   */
  readonly soleWriter: boolean;
  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended>;
  /** Events of one stream in order; an empty list when it does not exist. */
  read(stream: string, options?: ReadOptions): Promise<Recorded[]>;
  subscribe(filter?: LogFilter): LogSubscription;
  /** The last events of the log of some categories, newest first. For tools that look at what happened lately. */
  newest(options: NewestOptions): Promise<Recorded[]>;
  /** The end of the log as it stands, absent when the log is empty. */
  head(): Promise<Position | undefined>;
  /** Negative, zero or positive, as `a` lies before, at or after `b`. */
  comparePositions(a: Position, b: Position): number;
  close(): Promise<void>;
}

export class WrongExpectedRevision extends Error {
  override readonly name = 'WrongExpectedRevision';
  constructor(
    readonly stream: string,
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`stream ${stream} is at revision ${actual}, not at ${expected}`);
  }
}

export class AppendOutcomeUnknown extends Error {
  override readonly name = 'AppendOutcomeUnknown';
  constructor(
    readonly stream: string,
    options?: ErrorOptions,
  ) {
    super(`it is not known whether the append to ${stream} succeeded`, options);
  }
}

export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
  constructor(message = 'the event store does not accept appends at the moment', options?: ErrorOptions) {
    super(message, options);
  }
}

/** As much of the store as it takes to carry out commands on streams. */
export type StreamStore = Pick<EventStore, 'append' | 'read' | 'soleWriter'>;
