import type { ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { isInGap, isLeftOut, PARKED_AFTER_GAP, PARKED_BEHIND, PARKED_LEFT_OUT } from '@ponte/event-sourcing';
import { eventsOf, freshId } from '../../recorded';

const DISCARD = { actor: 'ana', why: 'x', discardedAt: '2026-01-03T00:00:00.000Z' };
const KEY = 'order-1';

const parkedEvent = (group: string, revision: number, reason: string, missingFrom?: number): ParkedEvent => ({
  ...{ group, key: KEY, reason, parkedAt: '2026-01-02T03:04:05.678Z' },
  event: { ...eventsOf(freshId(), {})[0], stream: KEY, revision, position: String(1_000 + revision) } as Recorded,
  ...(missingFrom === undefined ? {} : { missingFrom }),
});

const notInLog = async (): Promise<boolean> => false;
const revisionsOf = (parked: readonly ParkedEvent[]): number[] => parked.map(({ event }) => event.revision);

/** The part of the contract of `ParkedEvents` about missing events, and about discarding many of them. */
export function describeGaps(parked: () => ParkedEvents): void {
  /** Parks left-out events at these revisions, and returns their ids. */
  async function leaveOut(group: string, ...revisions: number[]): Promise<string[]> {
    const events = revisions.map((revision) => parkedEvent(group, revision, PARKED_LEFT_OUT));
    for (const one of events) await parked().add(one);
    return events.map(({ event }) => event.id);
  }

  test('a missing event is awaited by the event that marks its gap; one that is left out awaits itself', async () => {
    for (const marks of [
      [parkedEvent(freshId(), 5, PARKED_BEHIND, 3), parkedEvent(freshId(), 8, PARKED_LEFT_OUT)],
      [parkedEvent(freshId(), 5, PARKED_AFTER_GAP), parkedEvent(freshId(), 8, PARKED_LEFT_OUT, 8)],
      [parkedEvent(freshId(), 2, 'TypeError'), parkedEvent(freshId(), 6, 'TypeError', 6)],
      [parkedEvent(freshId(), 2, PARKED_AFTER_GAP, 2), parkedEvent(freshId(), 6, PARKED_LEFT_OUT, 1)],
    ]) {
      const group = freshId();
      for (const one of marks) await parked().add({ ...one, group });
      const asked = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((revision) => {
        const id = marks.find(({ event }) => event.revision === revision)?.event.id ?? freshId();
        return { id, revision };
      });
      const expected = asked.map(({ id, revision }) =>
        marks.some((one) => isInGap(one, revision) || (isLeftOut(one) && one.event.id === id)),
      );
      expect(await Promise.all(asked.map((one) => parked().isAwaited(group, KEY, one)))).toEqual(expected);
      expect(await parked().isAwaited(group, 'order-2', asked[4] ?? { id: '', revision: 4 })).toBe(false);
      expect(await parked().isAwaited(freshId(), KEY, asked[4] ?? { id: '', revision: 4 })).toBe(false);
    }
    const group = freshId();
    const [id = ''] = await leaveOut(group, 5);
    await parked().discard(group, id, DISCARD);
    expect(await parked().isAwaited(group, KEY, { id, revision: 5 })).toBe(false);
  });

  test('an event that marks a gap is not discarded while no other could mark it', async () => {
    const group = freshId();
    const mark = parkedEvent(group, 5, 'TypeError', 3);
    await parked().add(mark);
    const [leftOut] = await leaveOut(group, 7);
    await parked().discard(group, mark.event.id, DISCARD);
    await parked().removeUndone(group, mark.event.id, 5, notInLog);
    expect([await parked().discarded(group), (await parked().list(group))[0]]).toEqual([[], mark]);
    await parked().gapFilled(group, mark.event.id);
    for (const id of [mark.event.id, leftOut as string]) await parked().discard(group, id, DISCARD);
    expect(await parked().list(group)).toEqual([]);
    const [first, next] = [parkedEvent(group, 8, PARKED_AFTER_GAP), parkedEvent(group, 9, PARKED_BEHIND)];
    for (const one of [first, next]) await parked().add(one);
    await parked().discard(group, first.event.id, DISCARD);
    expect(await parked().list(group)).toEqual([{ ...next, missingFrom: 0 }]);
  });

  test('events that are discarded together are so up to the first other parked one', async () => {
    const [group, other] = [freshId(), freshId()];
    const ids = await leaveOut(group, 1, 2, 4, 5);
    const [one, two, four, five] = ids as [string, string, string, string];
    await parked().add({ ...parkedEvent(other, 2, PARKED_LEFT_OUT) });
    await parked().add(parkedEvent(group, 3, PARKED_BEHIND));
    expect(await parked().discardTogether(group, 'order-2', ids, DISCARD)).toEqual(new Set());
    expect(await parked().discardTogether(group, KEY, [two, one, four], DISCARD)).toEqual(new Set([one, two]));
    expect(await parked().discarded(group)).toMatchObject([DISCARD, DISCARD]);
    const again = { ...DISCARD, actor: 'eva' };
    expect(await parked().discardTogether(group, KEY, [one, five], again)).toEqual(new Set([one]));
    expect(await parked().discarded(group)).toMatchObject([DISCARD, DISCARD]);
    expect([await parked().list(group), await parked().list(other)].map(revisionsOf)).toEqual([[3, 4, 5], [2]]);
    await parked().remove(group, one);
    expect(await parked().discardTogether(group, KEY, [one, two], DISCARD)).toEqual(new Set([two]));
    expect(await parked().discardTogether(group, KEY, [], DISCARD)).toEqual(new Set());
  });

  test('of events that are discarded together, one that marks a gap is not, nor what comes after it', async () => {
    const group = freshId();
    const marking = parkedEvent(group, 3, PARKED_LEFT_OUT, 1);
    const filled = parkedEvent(group, 2, PARKED_LEFT_OUT, 2);
    const [four] = await leaveOut(group, 4);
    for (const each of [marking, filled, parkedEvent(group, 9, PARKED_BEHIND)]) await parked().add(each);
    const ids = [filled.event.id, marking.event.id, four as string];
    expect(await parked().discardTogether(group, KEY, ids, DISCARD)).toEqual(new Set([filled.event.id]));
    await parked().discard(group, marking.event.id, DISCARD);
    expect(await parked().list(group, KEY)).toMatchObject([{}, { missingFrom: 1 }]);
    expect(await parked().discardTogether(group, KEY, ids, DISCARD)).toEqual(new Set(ids));
    expect(revisionsOf(await parked().list(group, KEY))).toEqual([9]);
  });
}
