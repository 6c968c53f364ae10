import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { EventStoreUnavailable, NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { anEvent, eventsOf, freshId } from '../recorded';
import type { StoreUnderTest } from './store-under-test.testing';
import { names, collect } from './store-under-test.testing';
import { describeAppends } from './store-appends.contract';
import { describeRaces } from './store-races.contract';
import { describeSubscriptions } from './store-subscriptions.contract';

/** The contract of the `EventStore` port. */
export function describeEventStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name} as an EventStore`, () => {
    let under: StoreUnderTest;
    let store: EventStore;
    beforeEach(async () => {
      under = await open();
      store = under.store;
    });
    afterEach(() => under.cleanUp());

    describeAppends(() => store);
    describeRaces(() => store);
    describeSubscriptions(() => store);

    test('newest returns the last events of some categories, newest first, from the end or a position', async () => {
      const [one, other] = [names(), names()];
      const appended = eventsOf(freshId(), { at: 0 }, { at: 1 }, { at: 2 });
      await store.append(one.stream, NO_STREAM, appended);
      await store.append(other.stream, NO_STREAM, anEvent({ at: 3 }));
      await store.append(`${one.category}-second`, NO_STREAM, anEvent({ at: 4 }));
      const at = (events: readonly Recorded[]) => events.map(({ data }) => (data as { at: number }).at);
      const newest = (limit: number, before?: string, categories = [one.category]) =>
        store.newest({ categories, limit, ...(before === undefined ? {} : { before }) });
      const all = await newest(10);
      expect(at(all)).toEqual([4, 2, 1, 0]);
      expect(all[1]).toEqual((await store.read(one.stream))[2]);
      expect(at(await newest(2))).toEqual([4, 2]);
      expect(at(await newest(10, all[1]?.position))).toEqual([1, 0]);
      expect(at(await newest(2, undefined, [one.category, other.category]))).toEqual([4, 3]);
      expect([await newest(0), await newest(10, undefined, ['nothing'])]).toEqual([[], []]);
    });

    test('acknowledged events are kept when the store is closed and reopened', async () => {
      const { category, stream } = names();
      const first = eventsOf(freshId(), { at: 1, text: 'ação ✓' }, { at: 2 });
      await store.append(stream, NO_STREAM, first);
      const before = await store.read(stream);
      const again = await under.reopen();
      expect(await again.read(stream)).toEqual(before);
      await expect(again.append(stream, NO_STREAM, anEvent())).rejects.toThrow(WrongExpectedRevision);
      expect(await again.append(stream, NO_STREAM, first)).toMatchObject({ revision: 1 });
      await again.append(stream, 1, anEvent({ at: 3 }));
      const all = await collect(again, { categories: [category] }, (events) => events.length === 3);
      expect(all.map((event) => event.data)).toEqual([{ at: 1, text: 'ação ✓' }, { at: 2 }, { at: 3 }]);
      await again.close();
    });

    test('close ends subscriptions, and all later calls are unavailable', async () => {
      const { category, stream } = names();
      const reading = collect(store, { categories: [category] }, () => false);
      await store.append(stream, NO_STREAM, anEvent());
      await store.close();
      expect((await reading).length).toBeLessThanOrEqual(1);
      await expect(store.append(stream, 0, anEvent())).rejects.toThrow(EventStoreUnavailable);
      await expect(store.read(stream)).rejects.toThrow(EventStoreUnavailable);
      await expect(store.head()).rejects.toThrow(EventStoreUnavailable);
      await store.close();
    });

    test('the outcome of an append before close matches the log', async () => {
      const { stream } = names();
      const appends = Array.from({ length: 20 }, (_, at) => store.append(`${stream}${at}`, NO_STREAM, anEvent()));
      const settled = Promise.allSettled(appends);
      const again = await under.reopen();
      for (const [at, outcome] of (await settled).entries()) {
        expect((await again.read(`${stream}${at}`)).length === 1).toBe(outcome.status === 'fulfilled');
      }
      await again.close();
    });
  });
}
