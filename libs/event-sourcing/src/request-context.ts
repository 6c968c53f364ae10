import type { Ids } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { Recorded } from './event';
import type { RequestContext } from './message';

/** The id of a command that follows from an event. It is the same each time the event is delivered. */
const followUpId = (event: Pick<Recorded, 'id'>, command: string): string => derivedId('follow-up', event.id, command);

/** The context of a request that a policy sends because of an event. */
export const causedBy = (event: Pick<Recorded, 'id' | 'meta'>, command: string, policy: string): RequestContext => ({
  commandId: followUpId(event, command),
  correlationId: event.meta.correlationId,
  causationId: event.id,
  actor: policy,
  ...(event.meta.traceparent === undefined ? {} : { traceparent: event.meta.traceparent }),
});

/** The context of work that a service starts by itself (on a timer or at its start). */
export function systemContext(ids: Ids, actor: string): RequestContext {
  const id = ids.next();
  return { commandId: id, correlationId: id, actor };
}

/**
 * The context for another step of the same work, under its own command id and without the clock of a {@link
 * CommandContext}.
 */
export const withCommandId = (
  commandId: string,
  { correlationId, causationId, actor, deadline, traceparent }: RequestContext,
): RequestContext => ({ commandId, correlationId, causationId, actor, deadline, traceparent });

/**
 * The context of one step of a longer process, as {@link withCommandId}. The command id is derived from these parts and
 * not from the caller, so a step that is repeated after a crash, or requested twice, is executed once.
 */
export const stepContext = (context: RequestContext, ...parts: readonly string[]): RequestContext =>
  withCommandId(derivedId(...parts), context);

/** The fields that connect log lines of the same request or trace. */
export interface LoggedOrigin {
  readonly 'correlation-id': string;
  readonly 'trace-id'?: string;
  readonly 'span-id'?: string;
}

/** The fields of a log line that identify its request or event: `{ ...logged(context), orderId }`. */
export function logged({
  correlationId,
  traceparent,
}: Pick<RequestContext, 'correlationId' | 'traceparent'>): LoggedOrigin {
  const [, traceId, spanId] = traceparent?.split('-') ?? [];
  return { 'correlation-id': correlationId, ...(traceId && spanId ? { 'trace-id': traceId, 'span-id': spanId } : {}) };
}
