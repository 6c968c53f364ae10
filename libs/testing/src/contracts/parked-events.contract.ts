import type { ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { eventsOf, freshId } from '../recorded';
import { describeDiscards } from './parked/discards.contract';
import { describeUndone } from './parked/undone.contract';
import { describeGaps } from './parked/gaps.contract';
import { describeReasons } from './parked/reasons.contract';

interface ParkedEventsUnderTest {
  readonly parkedEvents: ParkedEvents;
  /** Simulates a restart of the process. */
  reopen(): Promise<ParkedEvents>;
  /** Runs a statement on the tables; absent if there are none. */
  run?(statement: string): Promise<void>;
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

    test('parked events are returned unchanged, even after a restart', async () => {
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

    test('a parked event keeps its first reason, the latest failure in a release and how many there were', async () => {
      const group = freshId();
      const one = parkedEvent(group, 'order-1', 3);
      await parked.add(one);
      await parked.failedAgain(group, one.event.id, { reason: 'Other: x', at: '2026-01-03T00:00:00.000Z' });
      const failure = { reason: 'Last: y', at: '2026-01-04T00:00:00.000Z' };
      await parked.failedAgain(group, one.event.id, failure);
      await parked.failedAgain(group, freshId(), failure);
      await parked.add({ ...one, reason: 'later' });
      const expected = { ...one, failedAgain: { ...failure, times: 2 } };
      expect(await parked.list(group)).toEqual([expected]);
      const again = await under.reopen();
      expect(await again.list(group, 'order-1')).toEqual([expected]);
      await again.remove(group, one.event.id);
      await again.add(one);
      expect(await again.list(group)).toEqual([one]);
    });

    test('an event marks a gap from when it is parked, or later; of two the longer one counts, until it is filled', async () => {
      const group = freshId();
      const [one, two] = [parkedEvent(group, 'order-1', 3), parkedEvent(group, 'order-2', 9)];
      await parked.add({ ...one, missingFrom: 0 });
      await parked.add(two);
      for (const missingFrom of [7, 5, 8]) await parked.add({ ...two, missingFrom });
      expect(await parked.list(group)).toEqual([
        { ...one, missingFrom: 0 },
        { ...two, missingFrom: 5 },
      ]);
      await parked.gapFilled(group, one.event.id);
      await parked.gapFilled(group, freshId());
      expect(await parked.list(group, 'order-1')).toEqual([{ ...one, missingFrom: 3 }]);
      await parked.failedAgain(group, two.event.id, { reason: 'x', at: '2026-01-03T00:00:00.000Z' });
      expect(await parked.list(group, 'order-2')).toMatchObject([{ missingFrom: 5, failedAgain: { times: 1 } }]);
    });

    const failure = { reason: 'Other: x', at: '2026-01-03T00:00:00.000Z' };

    test('a removal that fails removes nothing', async () => {
      const { run } = under;
      if (!run) return;
      const group = freshId();
      const one = { ...parkedEvent(group, 'order-1', 3), missingFrom: 1 };
      await parked.add(one);
      // The rows of this view can be read, but not deleted.
      await run('ALTER TABLE parked_notes RENAME TO kept_notes');
      await run('CREATE VIEW parked_notes AS SELECT DISTINCT * FROM kept_notes');
      await expect(parked.remove(group, one.event.id)).rejects.toThrow();
      expect(await parked.list(group)).toEqual([one]);
    });

    test('what a former version left of a removed event does not apply to it when it is parked again', async () => {
      const group = freshId();
      const [one, two] = [parkedEvent(group, 'order-1', 3), parkedEvent(group, 'order-2', 9)];
      for (const each of [one, two]) {
        await parked.add({ ...each, missingFrom: 0 });
        await parked.failedAgain(group, each.event.id, failure);
        await (under.run?.(`DELETE FROM parked WHERE event = '${each.event.id}'`) ??
          parked.remove(group, each.event.id));
      }
      await parked.add(one);
      await parked.add({ ...two, missingFrom: 8 });
      expect(await parked.list(group)).toEqual([one, { ...two, missingFrom: 8 }]);
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

    const discard = { actor: 'ana', why: `it's done by hand`, discardedAt: '2026-01-03T00:00:00.000Z' };

    test('a discarded event is listed as such with actor and reason, even after a restart, and is no longer parked', async () => {
      const group = freshId();
      const [one, two] = [parkedEvent(group, 'order-1', 3), parkedEvent(group, 'order-1', 10)];
      for (const each of [two, one]) await parked.add(each);
      await parked.discard(group, one.event.id, discard);
      await parked.discard(group, one.event.id, { ...discard, actor: 'eva', why: 'again' });
      expect(await parked.list(group)).toEqual([two]);
      const again = await under.reopen();
      expect(await again.discarded(group)).toEqual([{ ...one, ...discard }]);
      expect(await again.discarded(group, 'order-1')).toHaveLength(1);
      expect(await again.discarded(group, 'order-2')).toEqual([]);
      expect(await again.discarded(freshId())).toEqual([]);
      expect((await again.discarded()).filter((each) => each.group === group)).toHaveLength(1);
      await again.discard(group, two.event.id, discard);
      expect([await again.list(group), await again.keys(group)]).toEqual([[], new Set()]);
    });

    test('only the first parked event of a key can be discarded, and only for the group that is named', async () => {
      const [group, other] = [freshId(), freshId()];
      const [one, two] = [parkedEvent(group, 'order-1', 3), parkedEvent(group, 'order-1', 10)];
      for (const each of [one, two, { ...one, group: other }]) await parked.add(each);
      await parked.discard(group, two.event.id, discard);
      await parked.discard(group, freshId(), discard);
      expect([await parked.discarded(group), await parked.list(group)]).toEqual([[], [one, two]]);
      await Promise.all([one, two].map(({ event }) => parked.discard(group, event.id, discard)));
      expect((await parked.discarded(group))[0]?.event.id).toBe(one.event.id);
      expect(await parked.list(other)).toEqual([{ ...one, group: other }]);
    });

    describeDiscards(() => parked);
    describeUndone(() => parked);
    describeGaps(() => parked);
    describeReasons(() => parked);

    test('an event that was handled is neither parked nor discarded; a discarded one is not parked again', async () => {
      const group = freshId();
      const one = parkedEvent(group, 'order-1', 3);
      await parked.add(one);
      await parked.discard(group, one.event.id, discard);
      await parked.add({ ...one, reason: 'later' });
      expect([await parked.list(group), await parked.discarded(group)]).toEqual([[], [{ ...one, ...discard }]]);
      await parked.remove(group, one.event.id);
      expect([await parked.list(group), await parked.discarded(group)]).toEqual([[], []]);
      await parked.add(one);
      expect(await parked.list(group)).toEqual([one]);
    });
  });
}
