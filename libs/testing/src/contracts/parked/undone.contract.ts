import type { ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import { PARKED_AFTER_GAP, PARKED_LEFT_OUT } from '@ponte/event-sourcing';
import { eventsOf, freshId } from '../../recorded';

const discard = { actor: 'ana', why: 'x', discardedAt: '2026-01-03T00:00:00.000Z' };
const notInLog = async (): Promise<boolean> => false;

function parkedEvent(group: string, revision: number, reason = 'SomeError: why'): ParkedEvent {
  const [event] = eventsOf(freshId(), {});
  const recorded = { ...event, stream: 'order-1', revision, position: String(1_000 + revision) } as Recorded;
  return { group, key: 'order-1', event: recorded, reason, parkedAt: '2026-01-02T03:04:05.678Z' };
}

/** The part of the contract of `ParkedEvents` about events that a restore undid, and that may be recorded again. */
export function describeUndone(parked: () => ParkedEvents): void {
  describe('an event that a restore undid', () => {
    test('is removed wherever it waits, leaves its gap to the next one, and may be parked again', async () => {
      const [group, other] = [freshId(), freshId()];
      const [one, two, three] = [parkedEvent(group, 3), parkedEvent(group, 5), parkedEvent(group, 9)];
      const ofOther = { ...two, group: other };
      for (const each of [one, { ...two, missingFrom: 4 }, three, ofOther]) await parked().add(each);
      for (const _ of [1, 2]) await parked().removeUndone(group, two.event.id, 5, notInLog);
      expect(await parked().list(group)).toEqual([one, { ...three, missingFrom: 4 }]);
      expect([await parked().discarded(group), await parked().list(other)]).toEqual([[], [ofOther]]);
      await parked().add(two);
      expect((await parked().list(group))[1]).toEqual(two);
    });

    test('stays while it alone marks a gap, and while it is discarded', async () => {
      const group = freshId();
      const [one, two] = [parkedEvent(group, 3), parkedEvent(group, 5, PARKED_AFTER_GAP)];
      for (const each of [one, two, parkedEvent(group, 7, PARKED_LEFT_OUT)]) await parked().add(each);
      await parked().discard(group, one.event.id, discard);
      for (const { event } of [one, two]) await parked().removeUndone(group, event.id, event.revision, notInLog);
      expect((await parked().list(group))[0]).toEqual(two);
      expect(await parked().discarded(group)).toEqual([{ ...one, ...discard }]);
    });

    test('is not removed if the log has it after all, nor if it is delivered again while the log is read', async () => {
      const group = freshId();
      const events = [3, 5, 7].map((revision) => ({ ...parkedEvent(group, revision), reason: 'undone' }));
      const [logged, added, replaced] = events as [ParkedEvent, ParkedEvent, ParkedEvent];
      for (const each of events) await parked().add(each);
      const remove = ({ event }: ParkedEvent, isInLog: () => Promise<boolean>) =>
        parked().removeUndone(group, event.id, event.revision, isInLog);
      const meanwhile = (step: () => Promise<void>) => async (): Promise<boolean> => {
        await step();
        return false;
      };
      await remove(logged, async () => true);
      await remove(
        added,
        meanwhile(() => parked().add({ ...added, reason: 'delivered again' })),
      );
      await remove(
        replaced,
        meanwhile(() => parked().replace({ ...replaced, reason: 'delivered again' })),
      );
      expect(await parked().list(group)).toEqual(events);
    });

    test('is kept if it is found parked and delivered again, and only then', async () => {
      const group = freshId();
      const one = parkedEvent(group, 3);
      expect(await parked().keep(group, one.event.id)).toBe(false);
      await parked().add(one);
      let isKept = false;
      await parked().removeUndone(group, one.event.id, 3, async () => {
        isKept = await parked().keep(group, one.event.id);
        return false;
      });
      expect([isKept, await parked().list(group)]).toEqual([true, [one]]);
      await parked().removeUndone(group, one.event.id, 3, notInLog);
      expect(await parked().keep(group, one.event.id)).toBe(false);
      expect(await parked().list(group)).toEqual([]);
    });

    test('is parked if it is delivered again after a removal that a crash has interrupted', async () => {
      const group = freshId();
      const one = parkedEvent(group, 3);
      await parked().add(one);
      const crash = async (): Promise<boolean> => Promise.reject(new Error('crashed'));
      await expect(parked().removeUndone(group, one.event.id, 3, crash)).rejects.toThrow('crashed');
      await parked().add(one);
      expect(await parked().list(group)).toEqual([one]);
      await parked().removeUndone(group, one.event.id, 3, notInLog);
      expect(await parked().list(group)).toEqual([]);
      await parked().add(one);
      expect(await parked().list(group)).toEqual([one]);
    });

    test('is not removed once the log has it at another revision, and leaves no gap to the next one then', async () => {
      const group = freshId();
      const [undone, next] = [{ ...parkedEvent(group, 5), missingFrom: 4 }, parkedEvent(group, 9)];
      const again = { ...undone, event: { ...undone.event, revision: 6 } };
      for (const each of [undone, next]) await parked().add(each);
      await parked().replace(again);
      await parked().removeUndone(group, undone.event.id, 5, notInLog);
      expect(await parked().list(group)).toEqual([again, next]);
      await parked().removeUndone(group, undone.event.id, 6, notInLog);
      expect(await parked().list(group)).toEqual([{ ...next, missingFrom: 4 }]);
    });
  });

  describe('an event that the log has at another revision', () => {
    const at = (parkedBefore: ParkedEvent, revision: number, more: Partial<ParkedEvent> = {}): ParkedEvent => {
      const { missingFrom: _, ...before } = parkedBefore;
      return { ...before, event: { ...before.event, revision, data: { again: true } }, reason: 'again', ...more };
    };

    test('takes the place of the parked one, with the longest gap before it, if that is not empty', async () => {
      const group = freshId();
      const [marked, unknown, filled, plain] = [
        { ...parkedEvent(group, 5), missingFrom: 3 },
        parkedEvent(group, 6, PARKED_AFTER_GAP),
        parkedEvent(group, 7, PARKED_AFTER_GAP),
        parkedEvent(group, 8),
      ] as [ParkedEvent, ParkedEvent, ParkedEvent, ParkedEvent];
      for (const each of [marked, unknown, filled, plain]) await parked().add(each);
      await parked().gapFilled(group, filled.event.id);
      await parked().failedAgain(group, plain.event.id, { reason: 'x', at: '2026-01-03T00:00:00.000Z' });
      const replaced = [
        at(marked, 14, { missingFrom: 9 }),
        at(unknown, 16),
        at(filled, 17),
        at(plain, 18, { missingFrom: 12 }),
      ];
      for (const each of replaced) await parked().replace(each);
      const [first, second, ...others] = replaced;
      expect(await parked().list(group)).toEqual([
        { ...first, missingFrom: 3 },
        { ...second, missingFrom: 0 },
        ...others,
      ]);
      await parked().replace(at(marked, 2));
      expect((await parked().list(group))[0]).toEqual(at(marked, 2));
      expect(await parked().isAwaited(group, 'order-1', { id: 'x', revision: 1 })).toBe(true);
    });

    test('is parked if it is not, and changes nothing at the same revision or of a discarded event', async () => {
      const group = freshId();
      const [one, two] = [parkedEvent(group, 3), parkedEvent(group, 5)];
      for (const each of [one, two]) await parked().replace(each);
      await parked().replace({ ...two, reason: 'again' });
      await parked().discard(group, one.event.id, discard);
      await parked().replace(at(one, 4));
      expect(await parked().list(group)).toEqual([two]);
      expect(await parked().discarded(group)).toEqual([{ ...one, ...discard }]);
    });
  });
}
