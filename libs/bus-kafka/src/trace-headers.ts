import type { RequestContext } from '@ponte/event-sourcing';

/**
 * Headers that identify a message without its value: `correlation-id`, and `traceparent` (W3C Trace Context) if the
 * message belongs to a trace. The value contains the same, and receivers use that.
 */
export const traceHeaders = ({
  correlationId,
  traceparent,
}: Pick<RequestContext, 'correlationId' | 'traceparent'>): Record<string, string> =>
  traceparent === undefined ? { 'correlation-id': correlationId } : { 'correlation-id': correlationId, traceparent };
