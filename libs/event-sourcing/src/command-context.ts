import { derivedId } from '@ponte/kernel';
import type { DomainEvent, EventClass, EventMeta, EventToAppend, Recorded } from './event';
import type { RequestContext } from './message';

/** A request's context with the one clock reading that its decision uses. */
export interface CommandContext extends RequestContext {
  /** Business time of the decision, ISO 8601. Read again at each attempt. */
  readonly now: () => string;
}

/** The id of the index-th event of a command. */
export const eventId = (commandId: string, index: number): string => derivedId('event', commandId, String(index));

/** The id of a command that follows from an event, the same however often the event is delivered. */
export const followUpId = (event: Pick<Recorded, 'id'>, wish: string): string => derivedId('follow-up', event.id, wish);

/** The context of a request that a policy sends because of an event. */
export const causedBy = (event: Pick<Recorded, 'id' | 'meta'>, wish: string, policy: string): RequestContext => ({
  commandId: followUpId(event, wish),
  correlationId: event.meta.correlationId,
  causationId: event.id,
  actor: policy,
});

/** Gives decided events their ids and their origin. */
export function toAppend<E extends DomainEvent>(
  events: readonly E[], classes: readonly EventClass[], context: RequestContext, occurredAt: string,
): EventToAppend<E>[] {
  return events.map((event, index) => {
    const meta: EventMeta = {
      commandId: context.commandId, index, count: events.length, occurredAt, correlationId: context.correlationId,
      ...(context.causationId === undefined ? {} : { causationId: context.causationId }),
      ...(context.actor === undefined ? {} : { actor: context.actor }),
    };
    const version = classes.find((one) => one.type === event.type)?.version;
    if (version === undefined) throw new Error(`event ${event.type} is not listed by its decider`);
    return { id: eventId(context.commandId, index), type: event.type, version, data: event.data, meta };
  });
}
