import type { RequestContext } from './message';

/** Members by which the lines of a log that belong together are found. */
export interface LoggedOrigin {
  readonly 'correlation-id': string;
  readonly 'trace-id'?: string;
  readonly 'span-id'?: string;
}

/** What a line of the log says of the request or event that it was written for: `{ ...logged(context), orderId }`. */
export function logged({
  correlationId,
  traceparent,
}: Pick<RequestContext, 'correlationId' | 'traceparent'>): LoggedOrigin {
  const [, traceId, spanId] = traceparent?.split('-') ?? [];
  return { 'correlation-id': correlationId, ...(traceId && spanId ? { 'trace-id': traceId, 'span-id': spanId } : {}) };
}
