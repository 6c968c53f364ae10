import { derivedId, isUuid } from '@ponte/kernel';
import type { DomainEvent, EventClass, EventMeta, EventToAppend, Recorded } from './event';
import type { RequestContext } from './message';

/** A request's context with the one clock reading that its decision uses. */
export interface CommandContext extends RequestContext {
  /** Business time of the decision, ISO 8601. Read again at each attempt. */
  readonly now: () => string;
}

/** Where the version and the last 48 bits stand in a UUID. */
const VERSION_AT = 14;
const NODE_AT = 24;
const NODE_BITS = 48;
const NODE_DIGITS = 12;
/**
 * Odd, so that no two commands lead to one id; and more than the events of a command, so that the ids of an id are
 * those of no neighbour either.
 */
const SPREAD = 31n;

/**
 * The id of the index-th event of a command: a UUIDv8 that is the command's id but for its last 48 bits. Ids of
 * commands are random or hashed, so no two are alike in all the others; hashing once more for every event cost 3 % of a
 * quote.
 */
export function eventId(commandId: string, index: number): string {
  if (!isUuid(commandId)) return derivedId('event', commandId, String(index));
  const node = BigInt.asUintN(NODE_BITS, BigInt(`0x${commandId.slice(NODE_AT)}`) * SPREAD + BigInt(index + 1));
  const text = node.toString(16).padStart(NODE_DIGITS, '0');
  return `${commandId.slice(0, VERSION_AT)}8${commandId.slice(VERSION_AT + 1, NODE_AT)}${text}`;
}

/** The id of a command that follows from an event, the same however often the event is delivered. */
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

/** The context of a step of the same work, under an id of its own; without the clock of a {@link CommandContext}. */
export const withCommandId = (
  commandId: string,
  { correlationId, causationId, actor, deadline, traceparent }: RequestContext,
): RequestContext => ({ commandId, correlationId, causationId, actor, deadline, traceparent });

/** Gives decided events their ids and their origin. */
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
