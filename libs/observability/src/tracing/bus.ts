import type { MessageBus, Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import type { Tracing } from './tracing';
import { spanning } from './tracing';

/** Creates spans on both sides of each traced request, and for each traced event. Payloads are not recorded. */
export const busTraces =
  (tracing: Tracing): Decorator<MessageBus> =>
  (bus) => {
    if (!tracing.on) return undefined;
    return {
      request: (definition, payload, context) => {
        const current = context.traceparent === undefined ? tracing.current() : undefined;
        const parent = context.traceparent ?? current?.traceparent;
        if (parent === undefined) return bus.request(definition, payload, context);
        const { service, kind, name, pattern } = definition;
        const span = tracing.begin({
          name: `ask ${pattern}`,
          kind: 'client',
          parent,
          attributes: {
            'rpc.service': service,
            'rpc.method': name,
            'ponte.request.kind': kind,
            'ponte.correlation.id': context.correlationId,
          },
        });
        // Without a caller (on a timer), the receiver continues the trace of the order, or of the resource of the
        // message.
        return spanning(span, () =>
          bus.request(definition, payload, current?.unasked ? context : { ...context, traceparent: span.traceparent }),
        );
      },
      handle: (pattern, handler) =>
        bus.handle(pattern, (payload, context) => {
          const { traceparent: parent, correlationId } = context;
          if (parent === undefined) return handler(payload, context);
          const [service = '', kind = '', name = ''] = pattern.split('.');
          const span = tracing.begin({
            name: pattern,
            kind: 'server',
            parent,
            attributes: {
              'rpc.service': service,
              'rpc.method': name,
              'ponte.request.kind': kind,
              'ponte.correlation.id': correlationId,
            },
          });
          const { traceparent } = span;
          return spanning(span, () =>
            tracing.inSpan({ traceparent, correlationId }, () => handler(payload, { ...context, traceparent })),
          );
        }),
      consume: (options) => bus.consume({ ...options, consume: (event) => consumed(event, options, tracing) }),
    };
  };

function consumed(
  event: Recorded,
  { group, service, consume }: Parameters<MessageBus['consume']>[0],
  tracing: Tracing,
): Promise<void> {
  const { traceparent: parent, correlationId } = event.meta;
  if (parent === undefined) return consume(event);
  const span = tracing.begin({
    name: `handle ${event.type}`,
    kind: 'consumer',
    parent,
    attributes: {
      'messaging.destination.name': `${service}.events`,
      'messaging.consumer.group.name': group,
      'messaging.message.id': event.id,
      'ponte.event.type': event.type,
      'ponte.stream.category': categoryOf(event.stream),
      'ponte.correlation.id': correlationId,
    },
  });
  const { traceparent } = span;
  return spanning(span, () =>
    tracing.inSpan({ traceparent, correlationId }, () => consume({ ...event, meta: { ...event.meta, traceparent } })),
  );
}
