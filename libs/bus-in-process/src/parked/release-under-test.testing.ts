import type { ParkedEvent, Recorded } from '@ponte/event-sourcing';
import { NO_STREAM, PARKED_AFTER_GAP, PARKED_BEHIND } from '@ponte/event-sourcing';
import { eventsOf, freshId, MemoryEventStore, MemoryParkedEvents } from '@ponte/testing';
import { EventHandler } from '../event-handler';

export const [GROUP, STREAM] = ['g', 'order-1'];
export const GAP = { reason: PARKED_AFTER_GAP };
export const DISCARD = { actor: 'ana', why: 'x', discardedAt: '2026-01-01T00:00:00.000Z' };

/** A release that leaves these revisions out. */
export const leaving = (revisions: string) => ({ revisions, discard: DISCARD });

/** A log whose stream has one event for each letter: the group wants `W`, not `u`. */
export async function setUp(types: string) {
  const [parked, store] = [new MemoryParkedEvents(), new MemoryEventStore()];
  const handled: number[] = [];
  const failing = new Map<number, Error>();
  await store.append(
    STREAM,
    NO_STREAM,
    eventsOf(freshId(), ...[...types].map(() => ({}))).map((event, at) => ({ ...event, type: types[at] ?? '' })),
  );
  const events = await store.read(STREAM);
  const member = () =>
    new EventHandler(
      { parked, log: store, logger: { warn: () => undefined, error: () => undefined }, systemNow: () => 0 },
      {
        ...{ group: GROUP, service: 'orders', types: ['W'] },
        consume: async ({ revision }) => {
          const error = failing.get(revision);
          if (error) throw error;
          handled.push(revision);
        },
      },
      {},
    );
  const handler = member();
  const park = (revision: number, more: Partial<ParkedEvent> = {}) =>
    parked.add({
      ...{ group: GROUP, key: STREAM, event: events[revision] as Recorded, reason: PARKED_BEHIND, parkedAt: '' },
      ...more,
    });
  const waiting = async () => (await parked.list(GROUP)).map(({ event }) => event.revision);
  const discarded = async () => (await parked.discarded(GROUP)).map(({ event }) => event.revision);
  return { parked, handler, member, events, handled, failing, park, waiting, discarded };
}
