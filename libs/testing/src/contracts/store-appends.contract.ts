import type { EventStore } from '@ponte/event-sourcing';
import { NO_STREAM, WrongExpectedRevision } from '@ponte/event-sourcing';
import { anEvent, eventsOf, freshId } from '../recorded';
import { names, ids } from './store-under-test.testing';

export function describeAppends(current: () => EventStore): void {
  describe('append and read', () => {
    test('events are read as they were appended, with their revision and position', async () => {
      const { stream } = names();
      const events = eventsOf(
        freshId(),
        { amount: '1.00', list: [1, null, { deep: true }] },
        { note: '"quoted" \u{1F600}' },
      );
      const appended = await current().append(stream, NO_STREAM, events);
      const read = await current().read(stream);
      expect(read).toEqual(
        events.map((event, revision) => ({ ...event, stream, revision, position: read[revision]?.position })),
      );
      expect(appended).toEqual({ revision: 1, position: read[1]?.position });
      expect(current().comparePositions(read[0]?.position ?? '', read[1]?.position ?? '')).toBeLessThan(0);
      expect(current().comparePositions(appended.position, appended.position)).toBe(0);
    });

    test('an unknown stream is empty, and `from` and `limit` select a part of a stream', async () => {
      const { stream } = names();
      expect(await current().read(stream)).toEqual([]);
      const events = eventsOf(freshId(), ...Array.from({ length: 10 }, (_, at) => ({ at })));
      await current().append(stream, NO_STREAM, events);
      expect(ids(await current().read(stream, { from: 7 }))).toEqual(ids(events.slice(7)));
      expect(ids(await current().read(stream, { from: 2, limit: 3 }))).toEqual(ids(events.slice(2, 5)));
      expect(ids(await current().read(stream, { limit: 4 }))).toEqual(ids(events.slice(0, 4)));
      expect(await current().read(stream, { from: 10 })).toEqual([]);
      // A partial read must not be mistaken for the whole stream.
      await expect(current().append(stream, 3, anEvent())).rejects.toThrow(WrongExpectedRevision);
      await expect(current().append(stream, 9, anEvent())).resolves.toMatchObject({ revision: 10 });
    });

    test('an append fails alone when the stream does not have the expected revision', async () => {
      const { stream } = names();
      await expect(current().append(stream, 0, anEvent())).rejects.toMatchObject({
        name: 'WrongExpectedRevision',
        expected: 0,
        actual: -1,
      });
      await current().append(stream, NO_STREAM, anEvent());
      const [wrong, right] = await Promise.allSettled([
        current().append(stream, 5, anEvent()),
        current().append(`${stream}b`, NO_STREAM, anEvent()),
      ]);
      expect(wrong).toMatchObject({
        status: 'rejected',
        reason: { name: 'WrongExpectedRevision', expected: 5, actual: 0 },
      });
      expect(right.status).toBe('fulfilled');
      expect(await current().read(stream)).toHaveLength(1);
    });

    test('an append without events or with data that JSON cannot represent is refused as a whole', async () => {
      const { stream } = names();
      await expect(current().append(stream, NO_STREAM, [])).rejects.toThrow(TypeError);
      await expect(
        current().append(stream, NO_STREAM, eventsOf(freshId(), { fine: 1 }, { amount: 1n })),
      ).rejects.toThrow(TypeError);
      expect(await current().read(stream)).toEqual([]);
      await expect(current().append(stream, NO_STREAM, anEvent())).resolves.toMatchObject({ revision: 0 });
    });

    test('the store is not affected by later changes of the caller to appended or read objects', async () => {
      const { stream } = names();
      const data = { amount: '1.00' };
      const appending = current().append(stream, NO_STREAM, eventsOf(freshId(), data));
      await appending;
      data.amount = '9.99';
      const read = await current().read(stream);
      expect(read[0]?.data).toEqual({ amount: '1.00' });
      (read[0]?.data as { amount: string }).amount = '7.77';
      expect((await current().read(stream))[0]?.data).toEqual({ amount: '1.00' });
    });

    test('an append with the same ids and expected revision is idempotent and returns the first result', async () => {
      const { stream } = names();
      const [first, second] = [eventsOf(freshId(), { at: 0 }, { at: 1 }), eventsOf(freshId(), { at: 2 })];
      const answer = await current().append(stream, NO_STREAM, first);
      expect(await current().append(stream, NO_STREAM, first)).toEqual(answer);
      await current().append(stream, 1, second);
      expect(await current().append(stream, NO_STREAM, first)).toEqual(answer);
      expect(await current().read(stream)).toHaveLength(3);
    });

    test.each([
      ['other ids', () => eventsOf('other', { at: 0 }, { at: 1 }), NO_STREAM],
      [
        'the same ids and one more',
        (first: string) => eventsOf(first, { at: 0 }, { at: 1 }, { at: 2 }, { at: 3 }),
        NO_STREAM,
      ],
      [
        'the same ids in another order',
        (first: string) => [...eventsOf(first, { at: 0 }, { at: 1 })].reverse(),
        NO_STREAM,
      ],
      ['the same ids at another revision', (first: string) => eventsOf(first, { at: 0 }, { at: 1 }), 0],
      ['the same ids beyond the end', (first: string) => eventsOf(first, { at: 0 }, { at: 1 }), 7],
    ])('an append with %s is a conflict', async (_, make, expected) => {
      const { stream } = names();
      const command = freshId();
      await current().append(stream, NO_STREAM, eventsOf(command, { at: 0 }, { at: 1 }));
      await current().append(stream, 1, anEvent());
      await expect(current().append(stream, expected, make(command))).rejects.toThrow(WrongExpectedRevision);
      expect(await current().read(stream)).toHaveLength(3);
    });

    test('head is the end of the log', async () => {
      const { stream } = names();
      const { position } = await current().append(stream, NO_STREAM, anEvent());
      const head = await current().head();
      expect(current().comparePositions(head ?? '', position)).toBeGreaterThanOrEqual(0);
    });
  });
}
