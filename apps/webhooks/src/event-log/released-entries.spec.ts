import type { PublishedEnvelope } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { addSeconds } from '@ponte/kernel';
import { anEvent, MemoryEventStore } from '@ponte/testing';
import { OutboxLog } from '../outbox/outbox-log';
import type { Publication } from '../publication/publication.domain';
import { OutboxReader } from './outbox-reader.service';

const PARKED_AT = '2026-03-02T12:00:00.000Z';
const RELEASED_AT = addSeconds(PARKED_AT, 86_400);
/** More than are read at once. */
const COUNT = 7;

describe('the entries of a released stream', () => {
  const store = new MemoryEventStore();
  const reader = new OutboxReader(store);
  let source: Recorded;
  const range = async (from: string, to: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const entries of reader.range('a', from, to)) found.push(...entries.map((one) => one.envelope.eventId));
    return found;
  };
  const released = Array.from({ length: COUNT }, (_, at) => `released-${at}`);

  beforeAll(async () => {
    await store.append('order-1', NO_STREAM, anEvent());
    [source] = (await store.read('order-1')) as [Recorded];
    // Each comes from another request, so each is a stream event of its own.
    const publications = released.map((eventId, at): Publication => {
      const envelope = { eventId, occurredAt: PARKED_AT } as PublishedEnvelope;
      const meta = { ...source.meta, traceparent: `trace-${at}` };
      return { audience: 'a', earlier: [], source: { ...source, meta }, envelope, publishedAt: RELEASED_AT };
    });
    await new OutboxLog(store).publish(publications);
    expect(await store.read('outbox-a')).toHaveLength(COUNT);
  });

  it('are found by their id and the position of the release', async () => {
    for (const eventId of released)
      expect((await reader.published('a', eventId, source.position))?.envelope.eventId).toBe(eventId);
    expect(await reader.published('a', 'unknown', source.position)).toBeUndefined();
  });

  it('belong to the period in which they were published', async () => {
    expect(await range(PARKED_AT, addSeconds(PARKED_AT, 60))).toEqual([]);
    expect(await range(RELEASED_AT, addSeconds(RELEASED_AT, 60))).toEqual(released);
    expect(await reader.firstSince('a', RELEASED_AT)).toBe(1);
  });
});
