import type { RequestContext } from './message';

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
