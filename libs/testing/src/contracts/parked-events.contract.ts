import type { ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { eventsOf, freshId } from '../recorded';

export interface ParkedEventsUnderTest {
  readonly parkedEvents: ParkedEvents;
  /** Simulates a restart of the process. */
  reopen(): Promise<ParkedEvents>;
  cleanUp(): Promise<void>;
}

/** The contract of the `ParkedEvents` port. */
export function describeParkedEvents(name: string, open: () => Promise<ParkedEventsUnderTest>): void {
  describe(`${name} as ParkedEvents`, () => {
    let under: ParkedEventsUnderTest;
    let parked: ParkedEvents;
    beforeEach(async () => {
      under = await open();
      parked = under.parkedEvents;
    });
    afterEach(() => under.cleanUp());

    const odd = { text: `it's \u{1F600} "\u0000"`, none: null, list: [1.5, -0.25], deep: { 'a-b': [] } };
    const parkedEvent = (group: string, key: string, revision: number, data: object = odd): ParkedEvent => {
      const [event] = eventsOf(freshId(), data);
      const recorded = { ...event, stream: key, revision, position: String(1_000 + revision) } as Recorded;
      return { group, key, event: recorded, reason: 'SomeError: why', parkedAt: '2026-01-02T03:04:05.678Z' };
    };

    test('parked events are returned unchanged, also after a restart', async () => {
      const group = freshId();
      const one = parkedEvent(group, 'order-1', 3);
      await parked.add(one);
      expect(await parked.list(group)).toEqual([one]);
      expect(await (await under.reopen()).list(group, 'order-1')).toEqual([one]);
    });

    test('adding an event again has no effect, concurrently or later; another group parks it separately', async () => {
      const [group, other] = [freshId(), freshId()];
      const one = parkedEvent(group, 'order-1', 3);
      await Promise.all([parked.add(one), parked.add(one), parked.add({ ...one, reason: 'later' })]);
      await parked.add({ ...one, reason: 'later' });
      expect(await parked.list(group)).toHaveLength(1);
      await parked.add({ ...one, group: other });
      await parked.remove(group, one.event.id);
      expect(await parked.list(group)).toEqual([]);
      expect(await parked.list(other)).toEqual([{ ...one, group: other }]);
    });

    test("a key's events are listed in the order of the log, in whatever order they were parked", async () => {
      const group = freshId();
      for (const revision of [10, 2, 9, 1, 100]) await parked.add(parkedEvent(group, 'order-1', revision));
      await parked.add(parkedEvent(group, 'order-2', 0));
      expect((await parked.list(group, 'order-1')).map(({ event }) => event.revision)).toEqual([1, 2, 9, 10, 100]);
      expect(await parked.list(group)).toHaveLength(6);
      expect((await parked.list()).filter((one) => one.group === group)).toHaveLength(6);
      expect(await parked.list(freshId())).toEqual([]);
    });

    test('keys lists the keys with parked events and no removed ones', async () => {
      const group = freshId();
      const [one, two, alone] = [
        parkedEvent(group, 'order-1', 1),
        parkedEvent(group, 'order-1', 2),
        parkedEvent(group, 'order-2', 1),
      ];
      for (const each of [one, two, alone]) await parked.add(each);
      expect(await parked.keys(group)).toEqual(new Set(['order-1', 'order-2']));
      await parked.remove(group, one.event.id);
      await parked.remove(group, alone.event.id);
      await parked.remove(group, alone.event.id);
      expect(await parked.keys(group)).toEqual(new Set(['order-1']));
      expect(await parked.list(group)).toEqual([two]);
      expect(await parked.keys(freshId())).toEqual(new Set());
    });
  });
}
