import { Refusal, Unavailable } from '@ponte/kernel';
import type { CommandContext } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import type { FaultKind } from './memory/faults';
import { MemoryEventStore } from './memory/event-store';
import { freshId } from './recorded';
import {
  purse,
  NOW,
  command,
  over,
  change,
  amounts,
  WAYS,
  store,
  aggregates,
  id,
  stream,
  purseOver,
} from './purse.testing';

describe.each(WAYS)('Aggregates over a store with %j', (way) => {
  const { soleWriter } = way;
  purseOver(way);

  test('a command appends its events, whose ids are derived from the command id and the index', async () => {
    const context = command();
    const outcome = await change(aggregates, id, 10, context);
    expect(outcome).toMatchObject({ state: { balance: 10n }, revision: 0, replayed: false });
    expect(await stream()).toEqual([
      expect.objectContaining({
        id: soleWriter ? eventId(context.commandId, 0) : (expect.any(String) as string),
        type: 'Earned',
        version: 1,
        revision: 0,
        meta: {
          commandId: context.commandId,
          index: 0,
          count: 1,
          occurredAt: NOW,
          correlationId: context.correlationId,
        },
      }),
    ]);
    expect(outcome.events).toEqual(await stream());
  });

  test('a command is executed once, by this process or the next; a repetition returns the same events', async () => {
    const context = command();
    const first = await change(aggregates, id, 10, context);
    await change(aggregates, id, 5);
    for (const one of [aggregates, over(store)]) {
      const again = await change(one, id, -999, context);
      expect(again).toMatchObject({ replayed: true, state: { balance: 15n }, revision: 1 });
      expect(again.events).toEqual(first.events);
    }
    expect(await stream()).toHaveLength(2);
  });

  test('only a stream with `continuesTrace` keeps the span of its first event, also in the next process', async () => {
    const traced = (traceparent?: string): CommandContext => ({ ...command(), traceparent });
    const continuesTrace = { ...purse, continuesTrace: true as const };
    for (const [decider, later] of [
      [continuesTrace, 'first'],
      [purse, undefined],
    ] as const) {
      const own = freshId();
      for (const [one, context] of [
        [aggregates, traced('first')],
        [aggregates, traced()],
        [aggregates, traced('other')],
        [over(store), traced()],
      ] as const)
        await one.handle(decider, own, { amount: 1n }, context);
      expect((await store.read(`purse-${own}`)).map(({ meta }) => meta.traceparent)).toEqual([
        'first',
        later,
        'other',
        later,
      ]);
      for (const one of [aggregates, over(store)])
        expect(await one.load(decider, own)).toMatchObject({ traceparent: 'first' });
    }
    await change(aggregates, id, 1);
    expect(await aggregates.load(purse, id)).not.toHaveProperty('traceparent');
  });

  test('the same command sent many times concurrently is executed once', async () => {
    const context = command();
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => change(aggregates, id, 10, context)));
    expect(outcomes.filter((outcome) => !outcome.replayed)).toHaveLength(1);
    expect(await stream()).toHaveLength(1);
  });

  test('a command without events appends nothing, and a refusal reaches the caller', async () => {
    expect(await change(aggregates, id, 0)).toMatchObject({ events: [], revision: -1 });
    await expect(change(aggregates, id, -1)).rejects.toThrow(Refusal);
    expect(await stream()).toEqual([]);
  });

  test.each<FaultKind>(['lose-reply', 'drop'])(
    'an unknown outcome (%s) is resolved with the same ids and results in one event',
    async (kind) => {
      store.faults.next({ kind });
      expect(await change(aggregates, id, 10)).toMatchObject({ state: { balance: 10n }, replayed: false });
      expect(amounts(await stream())).toEqual([10]);
    },
  );

  test('an outcome that stays unknown is Unavailable, and a retry with the same id is safe', async () => {
    const context = command();
    for (let at = 0; at < 5; at += 1) store.faults.next({ kind: at === 2 ? 'lose-reply' : 'drop' });
    await expect(change(aggregates, id, 10, context)).rejects.toThrow(Unavailable);
    expect(await change(aggregates, id, 10, context)).toMatchObject({ replayed: true, state: { balance: 10n } });
    expect(amounts(await stream())).toEqual([10]);
  });

  test('a refused append is Unavailable and changes neither the store nor the cache', async () => {
    await change(aggregates, id, 10);
    store.faults.next({ kind: 'refuse' });
    await expect(change(aggregates, id, -10)).rejects.toThrow(Unavailable);
    expect(await aggregates.load(purse, id)).toEqual({ state: { balance: 10n }, revision: 0 });
    expect(await change(aggregates, id, -10)).toMatchObject({ state: { balance: 0n } });
  });

  test('after a crash between append and reply, the next process finds the command already executed', async () => {
    const context = command();
    store.faults.next({ kind: 'crash-after-append' });
    await expect(change(aggregates, id, 10, context)).rejects.toThrow('this process is gone');
    const next = over(new MemoryEventStore({ soleWriter, log: store.log }));
    expect(await change(next, id, 10, context)).toMatchObject({ replayed: true, state: { balance: 10n } });
  });

  test('a command past its deadline is not executed', async () => {
    const late = over(store, undefined, () => 1_001);
    await expect(change(late, id, 10, command(freshId(), 1_000))).rejects.toThrow(Unavailable);
    expect(await stream()).toEqual([]);
    expect(await change(late, id, 10, command(freshId(), 1_001))).toMatchObject({ revision: 0 });
  });
});
