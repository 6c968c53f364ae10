import type { ParkedEvent, ParkedEvents, ParkedReason, Recorded } from '@ponte/event-sourcing';
import { eventsOf, freshId } from '../../recorded';

const FAILURE = { reason: 'Other: x', at: '2026-01-03T00:00:00.000Z' };
const DISCARD = { actor: 'ana', why: 'x', discardedAt: '2026-01-03T00:00:00.000Z' };

function parkedEvent(group: string, key: string, revision: number): ParkedEvent {
  const [event] = eventsOf(freshId(), {});
  const recorded = { ...event, stream: key, revision, position: String(1_000 + revision) } as Recorded;
  return { group, key, event: recorded, reason: `Some: ${key} ${revision}`, parkedAt: '2026-01-02T03:04:05.678Z' };
}

const reasonOf = ({ key, event: { id, revision }, reason }: ParkedEvent): ParkedReason => ({
  key,
  event: { id, revision },
  reason,
});

/** The part of the contract of `ParkedEvents` about the reasons of many parked events. */
export function describeReasons(parked: () => ParkedEvents): void {
  test('parked events are counted by group, with their streams and the oldest, without discarded ones', async () => {
    const [one, two, emptied] = [freshId(), freshId(), freshId()];
    const [oldest, older, later] = ['01', '02', '03'].map((day) => `2026-01-${day}T00:00:00.000Z`);
    const discarded = { ...parkedEvent(one, 'order-1', 0), parkedAt: oldest ?? '' };
    await parked().add(discarded);
    for (const revision of [1, 2])
      await parked().add({ ...parkedEvent(one, 'order-1', revision), parkedAt: later ?? '' });
    await parked().add({ ...parkedEvent(one, 'order-2', 0), parkedAt: older ?? '' });
    await parked().add({ ...parkedEvent(two, 'order-1', 0), parkedAt: later ?? '' });
    const handled = parkedEvent(emptied, 'order-1', 0);
    await parked().add(handled);
    await parked().discard(one, discarded.event.id, DISCARD);
    await parked().remove(emptied, handled.event.id);
    const counts = (await parked().counts()).filter(({ group }) => [one, two, emptied].includes(group));
    expect(counts).toHaveLength(2);
    expect(counts).toContainEqual({ group: one, events: 3, streams: 2, oldestAt: older });
    expect(counts).toContainEqual({ group: two, events: 1, streams: 1, oldestAt: later });
  });

  test('the reasons of parked events are read in pages, without the events and without discarded ones', async () => {
    const group = freshId();
    // After a restore of the log, two events of a stream may have one revision.
    const twins = [parkedEvent(group, 'order-10', 7), parkedEvent(group, 'order-10', 7)].sort((a, b) =>
      a.event.id < b.event.id ? -1 : 1,
    );
    const [discarded, failed, gap] = [
      parkedEvent(group, 'order-1', 0),
      parkedEvent(group, 'order-1', 2),
      parkedEvent(group, 'order-1', 10),
    ];
    const last = parkedEvent(group, 'order-2', 1);
    for (const one of [last, ...[...twins].reverse(), { ...gap, missingFrom: 4 }, failed, discarded])
      await parked().add(one);
    await parked().add(parkedEvent(freshId(), 'order-1', 1));
    await parked().failedAgain(group, failed.event.id, FAILURE);
    await parked().discard(group, discarded.event.id, DISCARD);
    const expected = [
      { ...reasonOf(failed), failedAgain: { ...FAILURE, times: 1 } },
      { ...reasonOf(gap), missingFrom: 4 },
      ...[...twins, last].map(reasonOf),
    ];
    expect(await parked().reasons(group, 100)).toEqual(expected);
    expect(await parked().reasons(group, 1, undefined, 'order-10')).toEqual(expected.slice(2, 3));
    expect(await parked().reasons(group, 9, expected[2], 'order-10')).toEqual(expected.slice(3, 4));
    expect(await parked().page(group, 'order-1', 1)).toMatchObject([{ ...expected[0], event: failed.event }]);
    expect(await parked().page(group, 'order-10', 9)).toEqual(twins);
    expect(await parked().page(group, 'order-10', 9, expected[2])).toEqual(twins.slice(1));
    for (const [at, one] of expected.entries())
      expect(await parked().reasons(group, 2, one)).toEqual(expected.slice(at + 1, at + 3));
    const [first] = expected;
    if (first) await parked().remove(group, first.event.id);
    expect(await parked().reasons(group, 1, first)).toEqual([expected[1]]);
    expect(await parked().reasons(freshId(), 100)).toEqual([]);
  });
}
