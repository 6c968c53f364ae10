import type { EventToAppend, Position, Recorded } from '../event';

/** The expected revision of a stream that must not exist. */
export const NO_STREAM = -1;

export interface Appended {
  /** Revision and position of the last event of the append. */
  readonly revision: number;
  readonly position: Position;
}

/**
 * A batch of events of the log. `position` is the checkpoint after it; it advances even if the filter matched no event.
 */
export interface LogSlice {
  readonly events: readonly Recorded[];
  readonly position: Position;
  /** True if the log had no later events at the time of reading. */
  readonly caughtUp: boolean;
}

export interface LogFilter {
  /** Stream categories to deliver; absent means all. */
  readonly categories?: readonly string[];
  /** Deliver events after this position; absent means from the beginning. */
  readonly after?: Position;
  /** The largest number of events in a slice. */
  readonly batchSize?: number;
  /** Name of the subscriber, for metrics. Stores ignore it. */
  readonly reader?: string;
}

/** Delivers past events, then new ones, in log order. Reads the next slice only when the consumer asks for it. */
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
  /**
   * The largest number of events. Fewer are returned if the beginning of the log was reached. EventStoreDB also returns
   * fewer if too many other events were skipped.
   */
  readonly limit: number;
  /** Read events before this position; absent means from the end. */
  readonly before?: Position;
}

/**
 * The log of all events. Every adapter passes the contract suite of `@ponte/testing`.
 *
 * `append` resolves once the events are durable. It is atomic and idempotent: repeating it with the same ids at the
 * same expected revision returns the first result. It rejects with {@link WrongExpectedRevision} if the stream has
 * another revision, with {@link AppendOutcomeUnknown} if the events may or may not have been written, and with {@link
 * EventStoreUnavailable} if they were certainly not written.
 */
export interface EventStore {
  /**
   * True if only this process appends and its appends reach the log in the order of the calls. The state in memory is
   * then always current, and a command may be decided on events that are still being written.
   */
  readonly soleWriter: boolean;
  append(stream: string, expectedRevision: number, events: readonly EventToAppend[]): Promise<Appended>;
  /** The events of one stream in order; an empty list if the stream does not exist. */
  read(stream: string, options?: ReadOptions): Promise<Recorded[]>;
  subscribe(filter?: LogFilter): LogSubscription;
  /** The latest events of some categories, newest first. For tools that show recent activity. */
  newest(options: NewestOptions): Promise<Recorded[]>;
  /** The position of the last event in the log; undefined if the log is empty. */
  head(): Promise<Position | undefined>;
  /** Negative, zero or positive if `a` is before, at or after `b`. */
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

/** The part of the store that is needed to execute commands on streams. */
export type StreamStore = Pick<EventStore, 'append' | 'read' | 'soleWriter'>;
