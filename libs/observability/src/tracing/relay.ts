import type { RelayOptions } from '@ponte/bus-kafka';
import { categoryOf } from '@ponte/event-sourcing';
import type { Tracing } from './tracing';

/**
 * Options that make the relay of a service create a span for each event that a trace led to, from reading the log until
 * the brokers have acknowledged the event.
 */
export function tracedRelay(service: string, tracing: Tracing): Pick<RelayOptions, 'publishing'> {
  if (!tracing.on) return {};
  return {
    publishing: ({ id, stream, type, meta }) => {
      if (meta.traceparent === undefined) return undefined;
      return tracing.begin({
        name: `publish ${type}`,
        kind: 'producer',
        parent: meta.traceparent,
        attributes: {
          'messaging.system': 'kafka',
          'messaging.destination.name': `${service}.events`,
          'messaging.message.id': id,
          'ponte.event.type': type,
          'ponte.stream.category': categoryOf(stream),
          'ponte.correlation.id': meta.correlationId,
        },
      });
    },
  };
}
