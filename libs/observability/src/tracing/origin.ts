import { logged } from '@ponte/event-sourcing';
import type { Tracing } from './tracing';

/**
 * For a logger: a function that returns the trace fields of the running work for each line. Undefined if nothing is
 * traced; lines then have only the fields of `logged`.
 */
export function originOf(tracing: Tracing): (() => object) | undefined {
  if (!tracing.on) return undefined;
  return () => {
    const place = tracing.place();
    if (!place) return {};
    const { 'correlation-id': correlationId, ...span } = logged({
      correlationId: place.correlationId ?? '',
      traceparent: place.traceparent,
    });
    return correlationId === '' ? span : { 'correlation-id': correlationId, ...span };
  };
}
