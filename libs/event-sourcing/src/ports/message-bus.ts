import type { Recorded } from '../event';
import type { RequestContext, RequestDefinition } from '../message';

export type RequestHandler<P = unknown, R = unknown> = (payload: P, context: RequestContext) => Promise<R>;
export type EventConsumer = (event: Recorded) => Promise<void>;

export interface ConsumerOptions {
  /** One group has one checkpoint; each event is handled by one member of the group. */
  readonly group: string;
  /** The service whose `<service>.events` are consumed. */
  readonly service: string;
  /** The types of event that `consume` looks at; the others are done without it. Absent means all. */
  readonly types?: readonly string[];
  readonly consume: EventConsumer;
}

/**
 * How services talk. Requests get a reply, a `Refusal` or an `Unavailable`; they are never parked. Events are delivered
 * at least once, in order per stream, many streams at once. An event that fails is retried a bounded number of times,
 * then it is parked and later events of its stream wait behind it. While something is unavailable, its events are
 * retried for as long as that lasts, and nothing is parked.
 */
export interface MessageBus {
  request<P, R>(definition: RequestDefinition<P, R>, payload: P, context: RequestContext): Promise<R>;
  /** Registers what answers a pattern in this process. */
  handle(pattern: string, handler: RequestHandler): void;
  /** Registers a consumer; it starts with {@link start}. */
  consume(options: ConsumerOptions): void;
  start(): Promise<void>;
  /** Stops taking new work, lets what runs finish, and keeps the checkpoints. */
  stop(): Promise<void>;
}

/** An event that a consumer could not handle, and those of its stream that wait behind it. */
export interface ParkedEvent {
  readonly group: string;
  readonly key: string;
  readonly event: Recorded;
  readonly reason: string;
  readonly parkedAt: string;
}

/** Looks at and releases what was parked. */
export interface ParkingLot {
  list(group?: string): Promise<readonly ParkedEvent[]>;
  /** Whether a consumer of the group that is shown the events of this key runs in this process. */
  consumes(group: string, key: string): boolean;
  /** Hands the parked events of one key to their consumer again, in order. */
  release(group: string, key: string): Promise<void>;
}
