import type { RequestContext } from '@ponte/event-sourcing';

/**
 * Headers by which a message is found again without a look at its value: `correlation-id`, and `traceparent` of W3C
 * Trace Context where it belongs to a trace. The value says the same, and is what is gone by here.
 */
export const traceHeaders = ({
  correlationId,
  traceparent,
}: Pick<RequestContext, 'correlationId' | 'traceparent'>): Record<string, string> =>
  traceparent === undefined ? { 'correlation-id': correlationId } : { 'correlation-id': correlationId, traceparent };
