import { NO_STREAM } from '@ponte/event-sourcing';
import { eventsOf, freshId, MemoryEventStore } from '@ponte/testing';
import { firstLost } from './lost-predecessor';

const COUNT = 200;

test('the first lost revision is found, however many events were lost, also when it is the first of the stream', async () => {
  const store = new MemoryEventStore();
  await store.append('order-1', NO_STREAM, eventsOf(freshId(), {}));
  await store.append('order-2', NO_STREAM, eventsOf(freshId(), ...Array.from({ length: COUNT }, () => ({}))));
  const events = await store.read('order-2', { limit: COUNT });
  const [before] = await store.read('order-1');
  const lost = (revision: number, received: { readonly position: string } | undefined) => {
    const event = { ...events[revision], stream: 'order-2', revision, position: String(events[revision]?.position) };
    return firstLost(store, event, received && { offset: 0n, position: received.position });
  };
  for (const revision of [1, 2, 64, 65, 129, COUNT - 1]) {
    expect(await lost(revision, before)).toBe(0);
    expect(await lost(revision, events[revision - 1])).toBeUndefined();
    if (revision > 1) expect(await lost(revision, events[0])).toBe(1);
  }
  for (const last of [70, 133, 134, 135, 136, 197]) expect(await lost(COUNT - 1, events[last])).toBe(last + 1);
  expect(await lost(COUNT - 1, events[COUNT - 1])).toBeUndefined();
  expect(await lost(COUNT - 1, undefined)).toBeUndefined();
});
