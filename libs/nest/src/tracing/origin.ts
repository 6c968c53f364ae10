import { logged } from '@ponte/event-sourcing';
import type { Tracing } from './tracing';

/**
 * For a logger: what each line says of the place that the running work stands at. Undefined where nothing is traced;
 * then a line says what whoever wrote it knew, by `logged`.
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
