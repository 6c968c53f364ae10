import { derivedId, isUuid } from '@ponte/kernel';
import type { DomainEvent, EventClass, EventMeta, EventToAppend, Recorded } from './event';
import type { RequestContext } from './message';

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

/** The id of a command that follows from an event. It is the same each time the event is delivered. */
export const followUpId = (event: Pick<Recorded, 'id'>, command: string): string =>
  derivedId('follow-up', event.id, command);

/** The context of a request that a policy sends because of an event. */
export const causedBy = (event: Pick<Recorded, 'id' | 'meta'>, command: string, policy: string): RequestContext => ({
  commandId: followUpId(event, command),
  correlationId: event.meta.correlationId,
  causationId: event.id,
  actor: policy,
  ...(event.meta.traceparent === undefined ? {} : { traceparent: event.meta.traceparent }),
});

/**
 * The context for another step of the same work, under its own command id and without the clock of a {@link
 * CommandContext}.
 */
export const withCommandId = (
  commandId: string,
  { correlationId, causationId, actor, deadline, traceparent }: RequestContext,
): RequestContext => ({ commandId, correlationId, causationId, actor, deadline, traceparent });

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
