import type { RelayOptions } from '@ponte/bus-kafka';
import { categoryOf } from '@ponte/event-sourcing';
import type { Tracing } from './tracing';

/**
 * Makes the relay of a service tell of each event that a trace led to, from the look at the log until the brokers have
 * it.
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
