import type { Clock } from '@ponte/kernel';
import { derivedId, isUuid, isoTime, refuse } from '@ponte/kernel';
import type { RequestContext } from './message';

/** A fact that a decider returned: its type and its data (ISO strings, decimal strings, sealed personal fields). */
export interface DomainEvent<T extends string = string, D = object> {
  readonly type: T;
  readonly data: D;
}

/** The static members of a class made by {@link event}. */
export interface EventClass {
  readonly type: string;
  readonly version: number;
  readonly upcasts: Upcasts;
}

/** For each version below the current one, a pure function that returns the data of the next version. */
type Upcasts = Readonly<Record<number, (data: never) => object>>;

/**
 * The base class of an event: `class OrderPlaced extends event('OrderPlaced')<{ orderId: string }> {}`.
 * The instance is plain data, so an event that was read from a store has the same shape as one that was just decided.
 */
export function event<const T extends string>(type: T, version = 1, upcasts: Upcasts = {}) {
  return class<D extends object> implements DomainEvent<T, D> {
    static readonly type: string = type;
    static readonly version: number = version;
    static readonly upcasts: Upcasts = upcasts;
    readonly type: T;
    readonly data: D;
    constructor(data: D) {
      this.type = type;
      this.data = data;
    }
  };
}

/** The origin of an event: enough to find its command and to follow a request through all services. */
export interface EventMeta {
  /** The command that caused the event. A command whose id is already in the stream is not decided again. */
  readonly commandId: string;
  /** Index of the event among those of its command, from 0, and the number of these events. */
  readonly index: number;
  readonly count: number;
  /** Business time of the decision, ISO 8601 UTC with milliseconds. */
  readonly occurredAt: string;
  /** One id for everything that one external request caused. */
  readonly correlationId: string;
  /** The event whose policy sent the command; absent if a caller sent it. */
  readonly causationId?: string;
  /** The requester: an API key id, a staff id or the name of a policy. Never personal data. */
  readonly actor?: string;
  /** The span of the decision, in W3C Trace Context format. Absent if nothing was traced. */
  readonly traceparent?: string;
}

/** An event as it is passed to a store. `id` is derived from the command's id and the index. */
export interface EventToAppend<E extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly type: E['type'];
  readonly version: number;
  readonly data: E['data'];
  readonly meta: EventMeta;
}

/** A place in the log of all streams. It is opaque: only a store can compare two positions. */
export type Position = string;

/** An event as read from a store. Revisions count from 0 within the stream. */
export type Recorded<E extends DomainEvent = DomainEvent> =
  E extends DomainEvent<infer T, infer D>
    ? {
        readonly id: string;
        readonly stream: string;
        readonly revision: number;
        readonly position: Position;
        readonly type: T;
        readonly version: number;
        readonly data: D;
        readonly meta: EventMeta;
      }
    : never;

/** `<camelCaseCategory>-<id>`; the category ends at the first dash. */
export const streamName = (category: string, id: string): string => `${category}-${id}`;
export const categoryOf = (stream: string): string => stream.slice(0, Math.max(0, stream.indexOf('-')));
export const idOf = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** A request's context with the clock that its decision uses. */
export interface CommandContext extends RequestContext {
  /** Business time of the decision, ISO 8601. Read again at each attempt. */
  readonly now: () => string;
}

/** Offsets of the version digit and of the last 48 bits in the text of a UUID. */
const VERSION_AT = 14;
const NODE_AT = 24;
const NODE_BITS = 48;
const NODE_DIGITS = 12;
/**
 * The factor is odd, so that two commands never get the same id. It is larger than the number of events of a command,
 * so that ids derived from an event id do not collide with those derived from a neighbouring id.
 */
const SPREAD = 31n;

/**
 * The id of the index-th event of a command: a UUIDv8 that equals the command's id except for the version and the last
 * 48 bits. Command ids are random or hashed, so two of them always differ in the other bits. Hashing once more for
 * every event cost 3 % of a quote.
 */
export function eventId(commandId: string, index: number): string {
  if (!isUuid(commandId)) return derivedId('event', commandId, String(index));
  const node = BigInt.asUintN(NODE_BITS, BigInt(`0x${commandId.slice(NODE_AT)}`) * SPREAD + BigInt(index + 1));
  const text = node.toString(16).padStart(NODE_DIGITS, '0');
  return `${commandId.slice(0, VERSION_AT)}8${commandId.slice(VERSION_AT + 1, NODE_AT)}${text}`;
}

/** A command's context. Its business time is read from the clock at each attempt. */
export const commandContext = (context: RequestContext, clock: Clock): CommandContext => ({
  ...context,
  now: () => isoTime(clock.now()),
});

/** Adds ids, versions and metadata to decided events. */
export function toAppend<E extends DomainEvent>(
  events: readonly E[],
  classes: readonly EventClass[],
  context: RequestContext,
  occurredAt: string,
  idOf = eventId,
): EventToAppend<E>[] {
  return events.map((event, index) => {
    const version = classes.find((one) => one.type === event.type)?.version;
    if (version === undefined) throw new Error(`event ${event.type} is missing from the list of its decider`);
    const { type, data } = event;
    return {
      id: idOf(context.commandId, index),
      type,
      version,
      data,
      meta: metaOf(context, index, events.length, occurredAt),
    };
  });
}

function metaOf(
  { commandId, correlationId, causationId, actor, traceparent }: RequestContext,
  index: number,
  count: number,
  occurredAt: string,
): EventMeta {
  return {
    commandId,
    index,
    count,
    occurredAt,
    correlationId,
    ...(causationId === undefined ? {} : { causationId }),
    ...(actor === undefined ? {} : { actor }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
}

/**
 * The limit for an event's data as JSON, in bytes. Brokers accept messages of 1 MiB and EventStoreDB accepts appends of
 * 1 MiB; the difference is for the envelope.
 */
export const MAX_EVENT_BYTES = 900_000;
/** The longest JSON encoding of one UTF-16 unit: `\\u0000`. */
const MAX_BYTES_PER_UNIT = 6;

/** Refuses `event-too-large` before anything is written, instead of a store or broker refusing each retry. */
export function assertEventSizes(events: readonly EventToAppend[]): void {
  for (const { type, data } of events) {
    // An upper bound is far cheaper than serializing, and it suffices for nearly every event.
    if (units(data) * MAX_BYTES_PER_UNIT <= MAX_EVENT_BYTES) continue;
    const bytes = Buffer.byteLength(JSON.stringify(data));
    if (bytes > MAX_EVENT_BYTES)
      refuse(
        'event-too-large',
        `the event ${type} would have ${bytes} bytes; at most ${MAX_EVENT_BYTES} can be recorded`,
      );
  }
}

/** Room for punctuation and for the longest number. */
const PER_VALUE = 24;

/** An upper bound for the UTF-16 units of the JSON before escaping. */
function units(value: unknown): number {
  if (typeof value === 'string') return value.length + PER_VALUE;
  if (typeof value !== 'object' || value === null) return PER_VALUE;
  let sum = PER_VALUE;
  if (Array.isArray(value)) for (const one of value as unknown[]) sum += units(one);
  else for (const name in value) sum += name.length + units((value as Record<string, unknown>)[name]);
  return sum;
}
