import { EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventsOf, freshId } from '@ponte/testing';
import { openSqliteEventStore } from './event-store';
import { file, everything, expectSound, useLogFolder } from './whole-log.testing';

useLogFolder();

describe.each(['inline', 'thread'] as const)('%s', (writes) => {
  const open = (durability: 'full' | 'off' = 'full', of = file) =>
    openSqliteEventStore({ file: of, durability, writes });

  test('single appends and groups, one after the other and at once, form one log, and both refuse an existing stream', async () => {
    const store = open('off');
    const append = (stream: string) => store.append(`order-${stream}`, NO_STREAM, eventsOf(stream, {}, {}));
    for (let round = 0; round < 4; round += 1) {
      await append(`alone${round}`);
      const many = await Promise.allSettled(
        Array.from({ length: 50 }, (_, at) => append(at === 25 ? `again${round}` : `many${round}-${at}`)),
      );
      expect(many.every(({ status }) => status === 'fulfilled')).toBe(true);
      await expect(store.append(`order-again${round}`, NO_STREAM, anEvent())).rejects.toThrow('is at revision 1');
      const others = await Promise.allSettled([
        store.append('order-alone0', NO_STREAM, anEvent()),
        ...Array.from({ length: 40 }, (_, at) => append(`more${round}-${at}`)),
      ]);
      expect(others.map(({ status }) => status)).toEqual(['rejected', ...Array<string>(40).fill('fulfilled')]);
    }
    const events = await everything(store);
    expectSound(events);
    expect(events).toHaveLength(4 * 2 * (1 + 50 + 40));
    await store.close();
  });

  test('after a restart, creating an existing stream is refused, but the rest of its group succeeds', async () => {
    const first = open();
    const begun = anEvent();
    await first.append('order-old', NO_STREAM, begun);
    await first.close();
    const store = open();
    const [refused, repeated, kept] = await Promise.allSettled([
      store.append('order-old', NO_STREAM, anEvent()),
      store.append('order-old', NO_STREAM, begun),
      store.append('order-new', NO_STREAM, anEvent()),
    ]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'WrongExpectedRevision', actual: 0 } });
    expect(repeated).toEqual({ status: 'fulfilled', value: { revision: 0, position: '1' } });
    expect(kept).toEqual({ status: 'fulfilled', value: { revision: 0, position: '2' } });
    await expect(store.writable()).resolves.toBeUndefined();
    expectSound(await everything(store));
    await store.close();
  });

  test('a stream is read identically right after an append, after further appends, and from the file', async () => {
    const store = open('off');
    const [first, second] = [anEvent({ text: 'é"\\\n', none: null, list: [1, { deep: true }] }), anEvent({ at: 2 })];
    await Promise.all([store.append('order-1', NO_STREAM, first), store.append('order-2', NO_STREAM, anEvent())]);
    const [begun] = await store.read('order-1');
    expect(begun).toMatchObject({ stream: 'order-1', revision: 0, position: '1', ...first[0] });
    expect(
      await Promise.all(
        [{ from: 0, limit: 1 }, { from: 1 }, { limit: 0 }].map((options) => store.read('order-1', options)),
      ),
    ).toEqual([[begun], [], []]);
    await expect(store.append('order-1', NO_STREAM, anEvent())).rejects.toThrow('is at revision 0');
    expect(await store.append('order-1', NO_STREAM, first)).toEqual({ revision: 0, position: '1' });
    await store.append('order-1', 0, second);
    const both = await store.read('order-1');
    expect(both).toEqual([begun, expect.objectContaining({ revision: 1, position: '3', ...second[0] })]);
    await store.close();
    const again = open('off');
    expect(await again.read('order-1')).toEqual(both);
    expect(await again.read('order-1', { limit: 1 })).toEqual([begun]);
    await again.close();
  });

  test('with a full disk, an append is refused as unavailable, nothing of it is stored, and reads still work', async () => {
    const store = openSqliteEventStore({ file, durability: 'off', maxBytes: 400_000, writes });
    const big = (): Promise<unknown> =>
      store.append(
        `order-${freshId()}`,
        NO_STREAM,
        eventsOf(freshId(), { text: 'x'.repeat(20_000) }, { text: 'y'.repeat(20_000) }),
      );
    let kept = 0;
    const fill = async (): Promise<unknown> => {
      for (;;) {
        await big();
        kept += 1;
      }
    };
    await expect(fill()).rejects.toThrow(EventStoreUnavailable);
    const outcomes = await Promise.allSettled([big(), big()]);
    expect(outcomes.every((one) => one.status === 'rejected' && one.reason instanceof EventStoreUnavailable)).toBe(
      true,
    );
    expect(await everything(store)).toHaveLength(2 * kept);
    await store.close();
    const roomier = open('off');
    await expect(roomier.append('order-1', NO_STREAM, anEvent())).resolves.toMatchObject({ revision: 0 });
    expectSound(await everything(roomier));
    await roomier.close();
  });

  test('a reader that is behind the events in memory gets everything from the table, even during writes', async () => {
    const store = open('off');
    const slow = store.subscribe({ batchSize: 1_000 });
    const total = 25_000;
    let last = 0;
    const write = async (): Promise<void> => {
      for (let at = 0; at < total; at += 1_000) {
        await Promise.all(
          Array.from({ length: 1_000 }, (_, part) => store.append(`order-${at + part}`, NO_STREAM, anEvent())),
        );
      }
    };
    const writing = write();
    for await (const slice of slow) {
      const first = last + 1;
      expect(slice.events.map((event) => Number(event.position))).toEqual(slice.events.map((_, at) => first + at));
      last += slice.events.length;
      if (last < 3_000)
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      if (last === 1_000) await writing;
      if (last === total) break;
    }
    await writing;
    await store.close();
  });
});
