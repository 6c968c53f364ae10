import type { EventStore } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventsOf, freshId } from '../recorded';
import { names, ids, collect } from './store-under-test.testing';

export function describeSubscriptions(current: () => EventStore): void {
  describe('a subscription', () => {
    test('catches up and stays live under load, in order, without gaps and repetitions', async () => {
      const { category } = names();
      const before = 700;
      const during = 1_500;
      for (let at = 0; at < before; at += 1)
        void current().append(`${category}-${at % 7}`, Math.floor(at / 7) - 1, anEvent({ at }));
      const write = async (): Promise<void> => {
        for (let at = before; at < before + during; at += 1) {
          const append = current().append(`${category}-${at % 7}`, Math.floor(at / 7) - 1, anEvent({ at }));
          if (at % 50 === 0) await append;
          else append.catch(() => undefined);
        }
      };
      const [events] = await Promise.all([
        collect(current(), { categories: [category], batchSize: 64 }, (seen) => seen.length >= before + during),
        write(),
      ]);
      expect(new Set(ids(events)).size).toBe(before + during);
      const revisions = new Map<string, number>();
      for (const event of events) {
        expect(event.revision).toBe((revisions.get(event.stream) ?? -1) + 1);
        revisions.set(event.stream, event.revision);
      }
      const positions = events.map((event) => event.position);
      expect(
        positions.every(
          (position, at) => at === 0 || current().comparePositions(positions[at - 1] as string, position) < 0,
        ),
      ).toBe(true);
    });

    test('resumes after a checkpoint, which also moves past events that the filter excludes', async () => {
      const { category, stream } = names();
      const other = names();
      const start = await current().head();
      await current().append(stream, NO_STREAM, eventsOf(freshId(), { at: 0 }, { at: 1 }));
      await current().append(other.stream, NO_STREAM, anEvent());
      const head = (await current().head()) as string;
      let checkpoint = '';
      await collect(current(), { categories: [category], after: start }, (_, slice) => {
        checkpoint = slice.position;
        return slice.caughtUp;
      });
      expect(current().comparePositions(checkpoint, head)).toBeGreaterThanOrEqual(0);
      await current().append(stream, 1, anEvent({ at: 2 }));
      const rest = await collect(
        current(),
        { categories: [category], after: checkpoint },
        (events) => events.length > 0,
      );
      expect(rest.map((event) => event.data)).toEqual([{ at: 2 }]);
      const [, second] = await current().read(stream);
      const fromEvent = await collect(
        current(),
        { categories: [category], after: second?.position },
        (events) => events.length > 0,
      );
      expect(fromEvent.map((event) => event.revision)).toEqual([2]);
    });

    test('delivers several categories (the stream name up to the first dash) in log order, and no others', async () => {
      const { category } = names();
      const streams = [`${category}-a-b`, `${category}x-1`, `${category}y-1`, `${category}-c`];
      for (const stream of streams) await current().append(stream, NO_STREAM, anEvent());
      const seen = await collect(current(), { categories: [category, `${category}y`] }, (events) => events.length >= 3);
      expect(seen.map((event) => event.stream)).toEqual([streams[0], streams[2], streams[3]]);
    });

    test('delivers slices up to the requested size, and the next one only when the consumer asks for it', async () => {
      const { category, stream } = names();
      await current().append(
        stream,
        NO_STREAM,
        eventsOf(freshId(), ...Array.from({ length: 25 }, (_, at) => ({ at }))),
      );
      const subscription = current().subscribe({ categories: [category], batchSize: 10 });
      const sizes: number[] = [];
      let seen = 0;
      for await (const slice of subscription) {
        sizes.push(slice.events.length);
        seen += slice.events.length;
        if (seen === 25) {
          // Events appended while the consumer is busy wait and arrive in one slice.
          for (let at = 0; at < 5; at += 1) await current().append(stream, 24 + at, anEvent());
        }
        if (seen === 30) break;
      }
      expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
      expect(sizes.filter((size) => size > 0).at(-1)).toBe(5);
    });

    test('is ended by close while it waits and while it is being read', async () => {
      const { category, stream } = names();
      const waiting = current().subscribe({ categories: [category], after: await current().head() });
      const ended = (async () => {
        for await (const slice of waiting) void slice;
        return 'ended';
      })();
      await waiting.close();
      await waiting.close();
      expect(await ended).toBe('ended');
      await current().append(stream, NO_STREAM, eventsOf(freshId(), { at: 0 }, { at: 1 }, { at: 2 }));
      const reading = current().subscribe({ categories: [category], batchSize: 1 });
      let taken = 0;
      for await (const slice of reading) {
        taken += slice.events.length;
        if (taken === 1) await reading.close();
      }
      expect(taken).toBe(1);
    });

    test('delivers all events to each of many subscriptions', async () => {
      const { category } = names();
      const readers = Array.from({ length: 10 }, () =>
        collect(current(), { categories: [category] }, (events) => events.length >= 100),
      );
      await Promise.all(
        Array.from({ length: 100 }, (_, at) => current().append(`${category}-${at}`, NO_STREAM, anEvent())),
      );
      const [first, ...others] = await Promise.all(readers);
      expect(first).toHaveLength(100);
      for (const other of others) expect(ids(other)).toEqual(ids(first ?? []));
    });
  });
}
