import type { EventStore } from '@ponte/event-sourcing';

/** The most events that are shown of a stream. */
export const MAX_SHOWN = 1_000;

/** An event as operators see it. Personal data in `data` is encrypted. */
export type ShownEvent = {
  readonly revision: number;
  readonly type: string;
  readonly 'occurred-at': string;
  readonly 'correlation-id': string;
  readonly 'causation-id': string | null;
  readonly actor: string | null;
  readonly id: string;
  readonly data: object;
};

/**
 * The first events of a stream, at most 1,000, oldest first, or only the one with a revision; empty if the stream does
 * not have them.
 */
export async function shownEvents(
  store: Pick<EventStore, 'read'>,
  stream: string,
  revision?: number,
): Promise<readonly ShownEvent[]> {
  const events = await store.read(stream, revision === undefined ? { limit: MAX_SHOWN } : { from: revision, limit: 1 });
  return events.map(({ revision, type, id, data, meta }) => ({
    revision,
    type,
    'occurred-at': meta.occurredAt,
    'correlation-id': meta.correlationId,
    'causation-id': meta.causationId ?? null,
    actor: meta.actor ?? null,
    id,
    data,
  }));
}
