import type { EventStore } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventually } from '@ponte/testing';
import { openSqliteEventStore } from '../event-store';
import { file, everything, expectSound, useLogFolder } from '../whole-log.testing';

useLogFolder();

describe.each(['inline', 'thread'] as const)('over a log with %s writes,', (writes) => {
  const open = () => openSqliteEventStore({ file, durability: 'off', writes });
  const seenBy = (store: EventStore, categories: readonly string[], after: string | undefined) => {
    const slices: { events: number; position: string; caughtUp: boolean }[] = [];
    const subscription = store.subscribe({ categories, after });
    const ended = (async () => {
      for await (const { events, position, caughtUp } of subscription)
        slices.push({ events: events.length, position, caughtUp });
    })();
    return {
      slices,
      close: async () => {
        await subscription.close();
        await ended;
      },
    };
  };
  const until = (holds: () => boolean): Promise<void> => eventually(() => expect(holds()).toBe(true));

  test('a reader is not woken for other streams, but still gets the position of the log', async () => {
    const store = open();
    await store.append('mine-1', NO_STREAM, anEvent());
    const reader = seenBy(store, ['mine'], undefined);
    await until(() => reader.slices.length === 1);
    for (let at = 0; at < 100; at += 1) await store.append(`other-${at}`, NO_STREAM, anEvent());
    await until(() => reader.slices.at(-1)?.position === '101');
    expect(reader.slices.length).toBeLessThan(20);
    expect(reader.slices.at(-1)).toEqual({ events: 0, position: '101', caughtUp: true });
    await store.append('mine-1', 0, anEvent());
    await until(() => reader.slices.at(-1)?.position === '102');
    expect(reader.slices.reduce((sum, { events }) => sum + events, 0)).toBe(2);
    await reader.close();
    await store.close();
  });

  test('a later reader gets events from the file that no reader wanted when they were written', async () => {
    const store = open();
    const other = seenBy(store, ['other'], undefined);
    for (let at = 0; at < 300; at += 1) await store.append(`late-${at}`, NO_STREAM, anEvent());
    const late = seenBy(store, ['late'], '100');
    await until(() => late.slices.at(-1)?.position === '300');
    expect(late.slices.reduce((sum, { events }) => sum + events, 0)).toBe(200);
    await store.append('late-300', NO_STREAM, anEvent());
    await until(() => late.slices.at(-1)?.position === '301');
    await Promise.all([other.close(), late.close()]);
    await store.close();
  });

  test('creating existing streams is refused or returns the first result, and the other appends of the group succeed', async () => {
    let store = open();
    const first = anEvent();
    await store.append('order-1', NO_STREAM, first);
    await store.append('order-2', NO_STREAM, anEvent());
    await store.close();
    store = open();
    const outcomes = await Promise.allSettled([
      store.append('order-3', NO_STREAM, anEvent()),
      store.append('order-1', NO_STREAM, first),
      store.append('order-2', NO_STREAM, anEvent()),
      store.append('order-3', 0, anEvent()),
      store.append('order-4', NO_STREAM, anEvent()),
    ]);
    expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).name))).toEqual([
      { revision: 0, position: '3' },
      { revision: 0, position: '1' },
      'WrongExpectedRevision',
      { revision: 1, position: '4' },
      { revision: 0, position: '5' },
    ]);
    expectSound(await everything(store));
    await store.close();
  });
});
