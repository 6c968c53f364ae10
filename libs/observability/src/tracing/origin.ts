import { logged } from '@ponte/event-sourcing';
import type { Tracing } from './tracing';

/**
 * For a logger: a function that returns the trace fields of the running work for each line. Undefined if nothing is
 * traced; lines then have only the fields of `logged`.
 */
export function originOf(tracing: Tracing): (() => object) | undefined {
  if (!tracing.on) return undefined;
  return () => {
    const context = tracing.current();
    if (!context) return {};
    const { 'correlation-id': correlationId, ...span } = logged({
      correlationId: context.correlationId ?? '',
      traceparent: context.traceparent,
    });
    return correlationId === '' ? span : { 'correlation-id': correlationId, ...span };
  };
}
