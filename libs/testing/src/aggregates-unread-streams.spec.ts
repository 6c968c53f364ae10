import { refuse, Refusal, Unavailable } from '@ponte/kernel';
import { freshId } from './recorded';
import {
  purse,
  command,
  over,
  change,
  amounts,
  turns,
  of,
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

  test('create starts a stream without reading it; if it exists or the append fails, it is read before the next decision', async () => {
    const begin = (context = command(), by = aggregates) => by.create(purse, id, { amount: 10n }, context);
    const context = command();
    store.faults.next({ kind: 'refuse' });
    await expect(begin(context)).rejects.toThrow(Unavailable);
    expect(await begin(context)).toMatchObject({ state: { balance: 10n }, revision: 0 });
    expect(await begin(context)).toMatchObject({ replayed: true, revision: 0 });
    expect(await begin(command(), over(store))).toMatchObject({
      state: { balance: 20n },
      revision: 1,
      replayed: false,
    });
    expect((await stream()).map((one) => one.data)).toEqual([
      { amount: '10', before: '0' },
      { amount: '10', before: '10' },
    ]);
  });

  test('createIfAbsent returns the first outcome when the command that began the stream is repeated, also in the next process and even if it would now be refused', async () => {
    const read = jest.spyOn(store, 'read');
    const context = command();
    const first = await aggregates.createIfAbsent(purse, id, async () => ({ amount: 10n }), context);
    expect(read).toHaveBeenCalledTimes(soleWriter ? 1 : 0);
    for (const one of [aggregates, over(store)]) {
      expect(await one.createIfAbsent(purse, id, { amount: 7n }, context)).toMatchObject({
        replayed: true,
        state: { balance: 10n },
        events: first.events,
      });
    }
    for (const one of [aggregates, over(store)]) {
      expect(
        await one.createIfAbsent(purse, id, () => refuse('insufficient-balance', 'by now'), context),
      ).toMatchObject({ replayed: true, events: first.events });
    }
    await expect(
      over(store).createIfAbsent(purse, freshId(), () => refuse('insufficient-balance', 'at all'), command()),
    ).rejects.toThrow(Refusal);
    // Another command is decided on the existing stream.
    expect(await over(store).createIfAbsent(purse, id, { amount: -10n }, command())).toMatchObject({
      replayed: false,
      state: { balance: 0n },
    });
    expect(amounts(await stream())).toEqual([10, -10]);
  });

  test('with several writers, a cached stream is not read; a stale one is detected by the append, and no refusal is based on it', async () => {
    if (soleWriter) return;
    let reads = 0;
    const read = store.read.bind(store);
    store.read = (...parameters) => {
      reads += 1;
      return read(...parameters);
    };
    await aggregates.create(purse, id, { amount: 10n }, command());
    for (const amount of [1, 2, -3]) await change(aggregates, id, amount);
    expect(reads).toBe(0);
    const other = over(store);
    expect(await change(other, id, 10)).toMatchObject({ state: { balance: 20n } });
    expect(await change(aggregates, id, 5)).toMatchObject({ state: { balance: 25n }, revision: 5 });
    // `other` has cached 20 when the balance is 25; then `aggregates` has cached 25 when it is 0.
    expect(await change(other, id, -25)).toMatchObject({ state: { balance: 0n } });
    await expect(change(aggregates, id, -25)).rejects.toThrow(Refusal);
    expect(await change(other, id, 1)).toMatchObject({ revision: 7 });
    expect(await aggregates.load(purse, id, ({ revision }) => revision >= 6)).toMatchObject({ revision: 6 });
    expect(await aggregates.load(purse, id, ({ revision }) => revision >= 7)).toMatchObject({
      revision: 7,
      state: { balance: 1n },
    });
  });

  test('with several writers, a command that two processes execute concurrently has the same outcome in both', async () => {
    if (soleWriter) return;
    const other = over(store);
    await change(aggregates, id, 10);
    await other.load(purse, id);
    const context = command();
    const fault = store.faults.next({ kind: 'delay', match: of(context) });
    const first = change(aggregates, id, 3, context);
    await fault.struck;
    const second = change(other, id, 4, context);
    await turns();
    fault.release();
    const outcomes = await Promise.all([first, second]);
    expect(outcomes.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect(amounts(await stream())).toEqual([10, amounts(outcomes[0].events)[0]]);
    expect(outcomes[0].events).toEqual(outcomes[1].events);
    expect(outcomes[0].state).toEqual(outcomes[1].state);
  });
});
