import type { EventStore, EventToAppend } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import type { Attributes, Tracing } from './tracing';
import { spanning } from './tracing';

/** The largest number of links of one append. More would not be useful. */
const MAX_LINKS = 16;
/** Categories of streams whose ids we generate. Other ids may contain a partner's text and are not recorded. */
const OWN_IDS: ReadonlySet<string> = new Set([
  'quote',
  'order',
  'deposit',
  'pixCharge',
  'withdrawal',
  'chainTransaction',
  'transfer',
  'nftTransfer',
  'delivery',
  'account',
  'accountRequest',
]);

/** Creates a span for each append and each read that belongs to a trace. Event data is not recorded. */
export const storeTraces =
  (tracing: Tracing): Decorator<EventStore> =>
  (store) => {
    if (!tracing.on) return undefined;
    return {
      append: (stream, expectedRevision, events) => {
        const [parent = tracing.current()?.traceparent, ...links] = origins(events);
        if (parent === undefined) return store.append(stream, expectedRevision, events);
        const [first] = events;
        const span = tracing.begin({
          name: `append ${categoryOf(stream)}`,
          kind: 'client',
          parent,
          links,
          attributes: {
            ...about(stream, 'append'),
            'db.operation.batch.size': events.length,
            'ponte.event.types': [...new Set(events.map(({ type }) => type))],
            ...(first ? { 'ponte.correlation.id': first.meta.correlationId } : {}),
          },
        });
        return spanning(span, () => store.append(stream, expectedRevision, events));
      },
      read: (stream, options) => {
        const context = tracing.current();
        if (!context) return store.read(stream, options);
        const span = tracing.begin({
          name: `read ${categoryOf(stream)}`,
          kind: 'client',
          parent: context.traceparent,
          attributes: about(stream, 'read'),
        });
        return spanning(span, () => store.read(stream, options));
      },
    };
  };

const origins = (events: readonly EventToAppend[]): string[] =>
  [...new Set(events.flatMap(({ meta }) => meta.traceparent ?? []))].slice(0, MAX_LINKS + 1);

function about(stream: string, operation: string): Attributes {
  const category = categoryOf(stream);
  return {
    'db.operation.name': operation,
    'ponte.stream.category': category,
    ...(OWN_IDS.has(category) ? { 'ponte.stream': stream } : {}),
  };
}
