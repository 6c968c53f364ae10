import type { Recorded } from '../event';
import type { RequestContext, RequestDefinition } from '../message';

export type RequestHandler<P = unknown, R = unknown> = (payload: P, context: RequestContext) => Promise<R>;
export type EventConsumer = (event: Recorded) => Promise<void>;

export interface ConsumerOptions {
  /** A group has one checkpoint. Each event is handled by one member of the group. */
  readonly group: string;
  /** The service whose `<service>.events` are consumed. */
  readonly service: string;
  /** The event types that are passed to `consume`; other events are skipped. Absent means all. */
  readonly types?: readonly string[];
  readonly consume: EventConsumer;
}

/**
 * Communication between services. A request gets a reply, a `Refusal` or an `Unavailable`, and is never parked. Events
 * are delivered at least once, in order per stream, and different streams are processed in parallel. An event that
 * fails is retried a limited number of times; then it is parked, and later events of its stream wait behind it. While
 * something is unavailable, the affected events are retried without limit and nothing is parked.
 */
export interface MessageBus {
  request<P, R>(definition: RequestDefinition<P, R>, payload: P, context: RequestContext): Promise<R>;
  /** Registers the handler of a pattern in this process. */
  handle(pattern: string, handler: RequestHandler): void;
  /** Registers a consumer; it starts with {@link start}. */
  consume(options: ConsumerOptions): void;
  start(): Promise<void>;
  /** Stops accepting work, waits for running work to finish, and saves the checkpoints. */
  stop(): Promise<void>;
}

/** An event that a consumer could not handle, or a later event of its stream that waits behind it. */
export interface ParkedEvent {
  readonly group: string;
  readonly key: string;
  readonly event: Recorded;
  /** Why it was parked first. */
  readonly reason: string;
  readonly parkedAt: string;
  /**
   * The first revision of the missing events before this one, which marks their gap. Its own revision once the gap is
   * filled.
   */
  readonly missingFrom?: number;
  /** The latest release in which the event failed again; absent if there was none. */
  readonly failedAgain?: FailedRelease;
}

/** A release in which a parked event failed again. */
export interface FailedRelease {
  readonly reason: string;
  /** ISO 8601. */
  readonly at: string;
  /** How often the event has failed in a release. */
  readonly times: number;
}

/** Why an event is parked, without the event itself, so that many can be looked at. */
export interface ParkedReason extends Pick<ParkedEvent, 'key' | 'reason' | 'missingFrom' | 'failedAgain'> {
  readonly event: Pick<Recorded, 'id' | 'revision'>;
}

/** Who discarded an event, and why. */
export interface Discard {
  readonly actor: string;
  readonly why: string;
  /** ISO 8601. */
  readonly discardedAt: string;
}

/** Missing events that an operator leaves out when the rest of their stream is released. */
export interface LeftOut {
  /** All missing revisions, as `revisionsText` writes them. */
  readonly revisions: string;
  readonly discard: Discard;
}

/** Whether the parked events of a stream are those that a release was decided for. */
export type MayRelease = (waiting: readonly ParkedReason[]) => boolean;

/** How many events of a group are parked, discarded ones not counted. */
export interface ParkedCount {
  readonly group: string;
  readonly events: number;
  readonly streams: number;
  /** When the oldest one was parked. */
  readonly oldestAt: string;
}

export interface ParkingLot {
  list(group?: string, key?: string): Promise<readonly ParkedEvent[]>;
  /** Whether this process runs a consumer of the group that receives the events of this key. */
  consumes(group: string, key: string): boolean;
  /**
   * Passes the parked events of one key to their consumer again, in order. Rejects if one of them fails again, and with
   * `ReleaseRefused` at one that the log does not have, or before which events are missing. False if it stopped at
   * events that `mayRelease` does not accept; those that wait behind released ones are not asked about. Stops before
   * the next event, with `ReleaseRefused`, if `signal` aborts or the bus is stopped.
   */
  release(
    group: string,
    key: string,
    mayRelease?: MayRelease,
    leftOut?: LeftOut,
    signal?: AbortSignal,
  ): Promise<boolean>;
}
