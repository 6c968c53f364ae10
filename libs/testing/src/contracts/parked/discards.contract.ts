import type { ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { PARKED_AFTER_GAP, PARKED_LEFT_OUT } from '@ponte/event-sourcing';
import { eventsOf, freshId } from '../../recorded';

const discard = { actor: 'ana', why: 'x', discardedAt: '2026-01-03T00:00:00.000Z' };

function parkedEvent(group: string, revision: number, reason = 'SomeError: why'): ParkedEvent {
  const [event] = eventsOf(freshId(), {});
  const recorded = { ...event, stream: 'order-1', revision, position: String(1_000 + revision) } as Recorded;
  return { group, key: 'order-1', event: recorded, reason, parkedAt: '2026-01-02T03:04:05.678Z' };
}

/** The part of the contract of `ParkedEvents` about what a discard changes for the other parked events of its key. */
export function describeDiscards(parked: () => ParkedEvents): void {
  test('one look shows an event among the others that are parked of its stream', async () => {
    const [group, key] = [freshId(), 'order-1'];
    const events = [7, 3, 9].map((revision) => parkedEvent(group, revision));
    const [seven, three, nine] = events as [ParkedEvent, ParkedEvent, ParkedEvent];
    const ids = [seven, three, nine].map(({ event }) => event.id);
    const places = () => Promise.all([...ids, 'unknown'].map((id) => parked().place(group, key, id)));
    const others = (first: number, last: number) => ({ isDiscarded: false, others: { first, last } });
    expect(await places()).toEqual(Array(4).fill({ isDiscarded: false }));
    for (const one of events) await parked().add(one);
    await parked().add({ ...parkedEvent(group, 1), key: 'order-2' });
    await parked().add(parkedEvent(freshId(), 1));
    await parked().add({ ...seven, missingFrom: 4 });
    expect(await places()).toEqual([
      { own: { ...seven, missingFrom: 4 }, ...others(3, 9) },
      { own: three, ...others(7, 9) },
      { own: nine, ...others(3, 7) },
      others(3, 9),
    ]);
    await parked().discard(group, three.event.id, discard);
    await parked().remove(group, nine.event.id);
    expect(await places()).toEqual([
      { own: { ...seven, missingFrom: 4 }, isDiscarded: false },
      { isDiscarded: true, others: { first: 7, last: 7 } },
      others(7, 7),
      others(7, 7),
    ]);
  });

  describe('a discard', () => {
    test('of two parked events with one revision, as after a restore, each can be discarded', async () => {
      const group = freshId();
      const [lost, now] = [parkedEvent(group, 3), parkedEvent(group, 3)];
      for (const each of [lost, now]) await parked().add(each);
      const { id } = ((await parked().list(group))[1] as ParkedEvent).event;
      await parked().discard(group, id, discard);
      expect((await parked().discarded(group)).map(({ event }) => event.id)).toEqual([id]);
    });

    test('of an event that is not the first one changes nothing', async () => {
      const group = freshId();
      const [one, two, three] = [parkedEvent(group, 3), parkedEvent(group, 5), parkedEvent(group, 9)];
      for (const each of [one, { ...two, missingFrom: 4 }, three]) await parked().add(each);
      await parked().discard(group, two.event.id, discard);
      expect(await parked().list(group)).toEqual([one, { ...two, missingFrom: 4 }, three]);
      expect(await parked().discarded(group)).toEqual([]);
    });

    test('leaves a gap that its event marks to the next parked event, unless the gap is filled', async () => {
      const [group, other] = [freshId(), freshId()];
      const [one, two, three] = [parkedEvent(group, 3), parkedEvent(group, 5), parkedEvent(group, 9)];
      const ofOther = { ...two, group: other };
      const leftOut = parkedEvent(group, 4, PARKED_LEFT_OUT);
      for (const each of [{ ...one, missingFrom: 2 }, two, three, ofOther, leftOut]) await parked().add(each);
      await parked().discard(group, two.event.id, discard);
      expect(await parked().list(group)).toEqual([{ ...one, missingFrom: 2 }, leftOut, two, three]);
      await parked().discard(group, one.event.id, discard);
      expect(await parked().list(group)).toEqual([leftOut, { ...two, missingFrom: 2 }, three]);
      await parked().discard(group, leftOut.event.id, discard);
      await parked().discard(group, one.event.id, discard);
      await parked().gapFilled(group, two.event.id);
      await parked().discard(group, one.event.id, discard);
      await parked().discard(group, two.event.id, discard);
      expect(await parked().list(group)).toEqual([three]);
      await parked().discard(group, three.event.id, discard);
      expect([await parked().list(group), await parked().list(other)]).toEqual([[], [ofOther]]);
    });

    test('leaves a gap of unknown beginning as one from the beginning; of two gaps the longer one counts', async () => {
      const group = freshId();
      const [unknown, two, three] = [
        parkedEvent(group, 3, PARKED_AFTER_GAP),
        parkedEvent(group, 5),
        parkedEvent(group, 9),
      ];
      for (const each of [unknown, { ...two, missingFrom: 4 }, { ...three, missingFrom: 8 }]) await parked().add(each);
      await parked().failedAgain(group, unknown.event.id, { reason: 'x', at: '2026-01-03T00:00:00.000Z' });
      await parked().discard(group, unknown.event.id, discard);
      expect(await parked().list(group)).toEqual([
        { ...two, missingFrom: 0 },
        { ...three, missingFrom: 8 },
      ]);
      await parked().discard(group, two.event.id, discard);
      expect(await parked().list(group)).toEqual([{ ...three, missingFrom: 0 }]);
    });
  });
}
