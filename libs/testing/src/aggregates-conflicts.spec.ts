import { setImmediate as immediately } from 'node:timers/promises';
import { Refusal, Unavailable } from '@ponte/kernel';
import {
  purse,
  NOW,
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

  test('a conflict repeats the command function and the decision on the current state of the log', async () => {
    if (soleWriter) return;
    const other = over(store);
    const first = command();
    const fault = store.faults.next({ kind: 'delay', match: of(first) });
    const gathered: string[] = [];
    const earning = aggregates.handle(
      purse,
      id,
      async (now) => {
        gathered.push(now);
        return { amount: BigInt(gathered.length) };
      },
      first,
    );
    await fault.struck;
    await change(other, id, 10);
    fault.release();
    expect(await earning).toMatchObject({ state: { balance: 12n }, revision: 1, replayed: false });
    expect(gathered).toEqual([NOW, NOW]);
  });

  test('many concurrent commands on one stream cause few reads, not one per command and append', async () => {
    const CALLERS = 50;
    await change(aggregates, id, CALLERS);
    let reads = 0;
    const read = store.read.bind(store);
    store.read = async (...parameters) => {
      reads += 1;
      // Over a network, a read takes as long as an append.
      await immediately();
      return read(...parameters);
    };
    const spent = await Promise.all(Array.from({ length: CALLERS }, () => change(aggregates, id, -1)));
    expect(new Set(spent.map(({ revision }) => revision)).size).toBe(CALLERS);
    expect(await aggregates.load(purse, id)).toMatchObject({ state: { balance: 0n } });
    expect(reads).toBeLessThan(CALLERS + 10);
  });

  test('load returns only durable events', async () => {
    await change(aggregates, id, 10);
    const delayed = store.faults.next({ kind: 'delay' });
    const spending = change(aggregates, id, -4);
    await delayed.struck;
    let loaded: unknown;
    const loading = aggregates.load(purse, id).then((found) => (loaded = found));
    await turns();
    // With several writers, events that are not appended yet are not part of the state.
    if (soleWriter) expect(loaded).toBeUndefined();
    else expect(loaded).toEqual({ state: { balance: 10n }, revision: 0 });
    delayed.release();
    await Promise.all([spending, loading]);
    expect(await aggregates.load(purse, id)).toEqual({ state: { balance: 6n }, revision: 1 });
  });

  test('a hundred concurrent commands on one stream are each decided on the result of the previous one', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => change(aggregates, id, 1)));
    expect(outcomes.map((outcome) => outcome.revision).sort((a, b) => a - b)).toEqual([...Array(100).keys()]);
    expect((await stream()).map((one) => (one.data as { before: string }).before)).toEqual(
      [...Array(100).keys()].map(String),
    );
  });

  test('after a failed append, later commands are decided again and earlier events are kept', async () => {
    const failing = command();
    store.faults.next({ kind: 'refuse', match: of(failing) });
    await change(aggregates, id, 10);
    const outcomes = await Promise.allSettled([
      change(aggregates, id, 100, failing),
      change(aggregates, id, 5),
      change(aggregates, id, -8),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(amounts(await stream())).toEqual(expect.arrayContaining([10, 5, -8]));
    expect((await aggregates.load(purse, id)).state).toEqual({ balance: 7n });
    let balance = 0;
    for (const { data } of await stream()) {
      expect(data).toMatchObject({ before: String(balance) });
      balance += Number((data as { amount: string }).amount);
    }
  });

  test('a refusal that depends on events whose append fails is decided again', async () => {
    await change(aggregates, id, 10);
    const first = command();
    const fault = store.faults.next({ kind: 'refuse', held: true, match: of(first) });
    const spending = change(aggregates, id, -10, first).catch((error: unknown) => error);
    await fault.struck;
    const second = change(aggregates, id, -5);
    await turns();
    fault.release();
    expect(await spending).toBeInstanceOf(Unavailable);
    expect(await second).toMatchObject({ state: { balance: 5n } });
  });

  test('a refusal that depends on events in progress is returned only when they are durable', async () => {
    await change(aggregates, id, 10);
    const fault = store.faults.next({ kind: 'delay' });
    const spending = change(aggregates, id, -10);
    await fault.struck;
    let reported = false;
    const second = change(aggregates, id, -5).catch((error: unknown) => {
      reported = true;
      return error;
    });
    await turns();
    expect(reported).toBe(false);
    fault.release();
    expect(await second).toBeInstanceOf(Refusal);
    expect(await spending).toMatchObject({ state: { balance: 0n } });
  });

  test('a cached state in which a later event cannot follow is dropped, and the stream is read from its beginning', async () => {
    if (soleWriter) return;
    const strict: typeof purse = {
      ...purse,
      evolve(state, earned) {
        if (earned.data.before !== String(state.balance)) throw new Error('cannot follow');
        return purse.evolve(state, earned);
      },
    };
    await change(over(store), id, 3);
    await change(over(store), id, 4);
    const read = store.read.bind(store);
    // At first, a store that joins two sources shows only the other one.
    store.read = async (name) =>
      (await read(name, { limit: 1 })).map((one) => ({ ...one, data: { amount: '5', before: '0' } }));
    expect(await aggregates.load(strict, id)).toMatchObject({ state: { balance: 5n }, revision: 0 });
    store.read = read;
    expect(await aggregates.load(strict, id)).toMatchObject({ state: { balance: 7n }, revision: 1 });
  });
});
