import { setImmediate as immediately } from 'node:timers/promises';
import fc from 'fast-check';
import { refuse, Refusal, Unavailable } from '@ponte/kernel';
import type { CommandContext, Decider, EventStore, Recorded } from '@ponte/event-sourcing';
import { Aggregates, event, eventId } from '@ponte/event-sourcing';
import type { Fault, FaultKind } from './memory/faults';
import { MemoryEventStore } from './memory/event-store';
import { freshId } from './recorded';

class Earned extends event('Earned')<{ amount: string; before: string }> {}
class Spent extends event('Spent')<{ amount: string; before: string }> {}
type Change = Earned | Spent;
interface Command {
  readonly amount: bigint;
}
interface Purse {
  readonly balance: bigint;
}

/** Every event says which balance it was decided on, so that the log itself tells whether the decision saw its past. */
const purse: Decider<Command, Purse, Change> = {
  category: 'purse',
  initial: { balance: 0n },
  events: [Earned, Spent],
  decide({ amount }, { balance }) {
    if (amount === 0n) return [];
    if (balance + amount < 0n) return refuse('insufficient-balance', 'too little');
    const data = { amount: String(amount), before: String(balance) };
    return [amount > 0n ? new Earned(data) : new Spent(data)];
  },
  evolve: (state, { data }) => ({ balance: state.balance + BigInt(data.amount) }),
};

const NOW = '2026-01-02T03:04:05.678Z';
const command = (commandId = freshId(), deadline?: number): CommandContext => ({
  commandId,
  correlationId: commandId,
  deadline,
  now: () => NOW,
});
/** Whether the aggregates of the test at hand decide on what they hold, before they look. */
let guessing = false;
const over = (store: EventStore, capacity?: number, systemNow = () => 0): Aggregates =>
  new Aggregates({
    store,
    systemNow,
    capacity,
    ...(guessing ? { run: freshId() } : {}),
    pause: () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  });
const change = (aggregates: Aggregates, id: string, amount: number, context = command()) =>
  aggregates.handle(purse, id, { amount: BigInt(amount) }, context);
const amounts = (events: readonly Recorded[]): number[] =>
  events.map((one) => Number((one.data as { amount: string }).amount));
const turns = async (count = 20): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
};
/** Matches the append of one command. */
const of =
  (context: CommandContext): Fault['match'] =>
  (_, events) =>
    events[0]?.meta.commandId === context.commandId;

const WAYS = [
  { soleWriter: true, guesses: false },
  { soleWriter: false, guesses: false },
  { soleWriter: false, guesses: true },
];
describe.each(WAYS)('Aggregates over a store with %j', ({ soleWriter, guesses }) => {
  let store: MemoryEventStore;
  let aggregates: Aggregates;
  let id: string;
  const stream = (): Promise<Recorded[]> => store.read(`purse-${id}`);
  beforeEach(() => {
    guessing = guesses;
    store = new MemoryEventStore({ soleWriter });
    aggregates = over(store);
    id = freshId();
  });

  test('a command leads to its events, whose ids derive from the command and the index', async () => {
    const context = command();
    const outcome = await change(aggregates, id, 10, context);
    expect(outcome).toMatchObject({ state: { balance: 10n }, revision: 0, replayed: false });
    expect(await stream()).toEqual([
      expect.objectContaining({
        id: guesses ? (expect.any(String) as string) : eventId(context.commandId, 0),
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

  test('a command id is carried out once, in this process and the next; the repetition gets the same events', async () => {
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

  test('a stream that is one errand goes on with the span of its first event, in this process and the next; any other does not', async () => {
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

  test('the same command id many times at once is carried out once', async () => {
    const context = command();
    const outcomes = await Promise.all(Array.from({ length: 16 }, () => change(aggregates, id, 10, context)));
    expect(outcomes.filter((outcome) => !outcome.replayed)).toHaveLength(1);
    expect(await stream()).toHaveLength(1);
  });

  test('nothing to do appends nothing; a refusal reaches the caller', async () => {
    expect(await change(aggregates, id, 0)).toMatchObject({ events: [], revision: -1 });
    await expect(change(aggregates, id, -1)).rejects.toThrow(Refusal);
    expect(await stream()).toEqual([]);
  });

  test.each<FaultKind>(['lose-reply', 'drop'])(
    'an unknown outcome (%s) is resolved by the same ids, and ends in one event',
    async (kind) => {
      store.faults.next({ kind });
      expect(await change(aggregates, id, 10)).toMatchObject({ state: { balance: 10n }, replayed: false });
      expect(amounts(await stream())).toEqual([10]);
    },
  );

  test('an outcome that stays unknown is Unavailable, and a retry under the same id is safe', async () => {
    const context = command();
    for (let at = 0; at < 5; at += 1) store.faults.next({ kind: at === 2 ? 'lose-reply' : 'drop' });
    await expect(change(aggregates, id, 10, context)).rejects.toThrow(Unavailable);
    expect(await change(aggregates, id, 10, context)).toMatchObject({ replayed: true, state: { balance: 10n } });
    expect(amounts(await stream())).toEqual([10]);
  });

  test('a refused append is Unavailable and keeps nothing, here or in memory', async () => {
    await change(aggregates, id, 10);
    store.faults.next({ kind: 'refuse' });
    await expect(change(aggregates, id, -10)).rejects.toThrow(Unavailable);
    expect(await aggregates.load(purse, id)).toEqual({ state: { balance: 10n }, revision: 0 });
    expect(await change(aggregates, id, -10)).toMatchObject({ state: { balance: 0n } });
  });

  test('a crash between append and reply: the next process finds the command done', async () => {
    const context = command();
    store.faults.next({ kind: 'crash-after-append' });
    await expect(change(aggregates, id, 10, context)).rejects.toThrow('this process is gone');
    store = new MemoryEventStore({ soleWriter, log: store.log });
    expect(await change(over(store), id, 10, context)).toMatchObject({ replayed: true, state: { balance: 10n } });
  });

  test('begin starts a stream; one that exists after all, or whose append fails, is read before it is decided on', async () => {
    const begin = (context = command()) => aggregates.create(purse, id, { amount: 10n }, context);
    const context = command();
    store.faults.next({ kind: 'refuse' });
    await expect(begin(context)).rejects.toThrow(Unavailable);
    expect(await begin(context)).toMatchObject({ state: { balance: 10n }, revision: 0 });
    expect(await begin(context)).toMatchObject({ replayed: true, revision: 0 });
    aggregates = over(store);
    expect(await begin()).toMatchObject({ state: { balance: 20n }, revision: 1, replayed: false });
    expect((await stream()).map((one) => one.data)).toEqual([
      { amount: '10', before: '0' },
      { amount: '10', before: '10' },
    ]);
  });

  test('createIfAbsent: who repeats the command that began the stream is answered as the first time, here and in the next process, even where its facts would refuse it', async () => {
    const read = jest.spyOn(store, 'read');
    const context = command();
    const first = await aggregates.createIfAbsent(purse, id, async () => ({ amount: 10n }), context);
    expect(read).toHaveBeenCalledTimes(guesses ? 0 : soleWriter ? 1 : 2);
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
    // Another command finds what there is.
    expect(await over(store).createIfAbsent(purse, id, { amount: -10n }, command())).toMatchObject({
      replayed: false,
      state: { balance: 0n },
    });
    expect(amounts(await stream())).toEqual([10, -10]);
  });

  test('where it guesses, what is held needs no look; what has moved on is found by the append, and no refusal rests on what was', async () => {
    if (!guesses) return;
    let reads = 0;
    const read = store.read.bind(store);
    store.read = (...asked) => {
      reads += 1;
      return read(...asked);
    };
    await aggregates.create(purse, id, { amount: 10n }, command());
    for (const amount of [1, 2, -3]) await change(aggregates, id, amount);
    expect(reads).toBe(0);
    const other = over(store);
    expect(await change(other, id, 10)).toMatchObject({ state: { balance: 20n } });
    expect(await change(aggregates, id, 5)).toMatchObject({ state: { balance: 25n }, revision: 5 });
    // It holds 20 and there are 25; then it holds 25 and there is nothing.
    expect(await change(other, id, -25)).toMatchObject({ state: { balance: 0n } });
    await expect(change(aggregates, id, -25)).rejects.toThrow(Refusal);
    expect(await change(other, id, 1)).toMatchObject({ revision: 7 });
    expect(await aggregates.load(purse, id, ({ revision }) => revision >= 6)).toMatchObject({ revision: 6 });
    expect(await aggregates.load(purse, id, ({ revision }) => revision >= 7)).toMatchObject({
      revision: 7,
      state: { balance: 1n },
    });
  });

  test('where it guesses, a command that two processes carry out at once has one outcome, and both tell it', async () => {
    if (!guesses) return;
    const other = over(store);
    await change(aggregates, id, 10);
    await other.load(purse, id);
    const context = command();
    const held = store.faults.next({ kind: 'delay', match: of(context) });
    const first = change(aggregates, id, 3, context);
    await held.struck;
    const second = change(other, id, 4, context);
    await turns();
    held.release();
    const outcomes = await Promise.all([first, second]);
    expect(outcomes.map(({ replayed }) => replayed).sort()).toEqual([false, true]);
    expect(amounts(await stream())).toEqual([10, amounts(outcomes[0].events)[0]]);
    expect(outcomes[0].events).toEqual(outcomes[1].events);
    expect(outcomes[0].state).toEqual(outcomes[1].state);
  });

  test('past its deadline a command is dropped unexecuted', async () => {
    const late = over(store, undefined, () => 1_001);
    await expect(change(late, id, 10, command(freshId(), 1_000))).rejects.toThrow(Unavailable);
    expect(await stream()).toEqual([]);
    expect(await change(late, id, 10, command(freshId(), 1_001))).toMatchObject({ revision: 0 });
  });

  test('a conflict: the facts are gathered again, the decision is made again on what the log says now', async () => {
    if (soleWriter) return;
    const other = over(store);
    const first = command();
    const held = store.faults.next({ kind: 'delay', match: of(first) });
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
    await held.struck;
    await change(other, id, 10);
    held.release();
    expect(await earning).toMatchObject({ state: { balance: 12n }, revision: 1, replayed: false });
    expect(gathered).toEqual([NOW, NOW]);
  });

  test('many at once on one stream: it is read a few times for each append, not once for everybody', async () => {
    const CALLERS = 50;
    await change(aggregates, id, CALLERS);
    let reads = 0;
    const read = store.read.bind(store);
    store.read = async (...asked) => {
      reads += 1;
      // On a wire a reading takes as long as an append does.
      await immediately();
      return read(...asked);
    };
    const spent = await Promise.all(Array.from({ length: CALLERS }, () => change(aggregates, id, -1)));
    expect(new Set(spent.map(({ revision }) => revision)).size).toBe(CALLERS);
    expect(await aggregates.load(purse, id)).toMatchObject({ state: { balance: 0n } });
    expect(reads).toBeLessThan(CALLERS + 10);
  });

  test('load waits until what it shows is durable', async () => {
    await change(aggregates, id, 10);
    const delayed = store.faults.next({ kind: 'delay' });
    const spending = change(aggregates, id, -4);
    await delayed.struck;
    let loaded: unknown;
    const loading = aggregates.load(purse, id).then((found) => (loaded = found));
    await turns();
    // What waits for its turn to be kept is no state yet where it is not decided on.
    if (guesses) expect(loaded).toEqual({ state: { balance: 10n }, revision: 0 });
    else expect(loaded).toBeUndefined();
    delayed.release();
    await Promise.all([spending, loading]);
    expect(await aggregates.load(purse, id)).toEqual({ state: { balance: 6n }, revision: 1 });
  });

  test('a hundred commands at once on one stream are all decided, each on the one before', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => change(aggregates, id, 1)));
    expect(outcomes.map((outcome) => outcome.revision).sort((a, b) => a - b)).toEqual([...Array(100).keys()]);
    expect((await stream()).map((one) => (one.data as { before: string }).before)).toEqual(
      [...Array(100).keys()].map(String),
    );
  });

  test('a failure in the middle: what was decided on it is decided again, what stands before it is kept', async () => {
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

  test('a refusal that rests on events which then fail is decided again', async () => {
    await change(aggregates, id, 10);
    const first = command();
    const held = store.faults.next({ kind: 'refuse', held: true, match: of(first) });
    const spending = change(aggregates, id, -10, first).catch((error: unknown) => error);
    await held.struck;
    const second = change(aggregates, id, -5);
    await turns();
    held.release();
    expect(await spending).toBeInstanceOf(Unavailable);
    expect(await second).toMatchObject({ state: { balance: 5n } });
  });

  test('a refusal that depends on events in progress is returned only when they are durable', async () => {
    await change(aggregates, id, 10);
    const held = store.faults.next({ kind: 'delay' });
    const spending = change(aggregates, id, -10);
    await held.struck;
    let reported = false;
    const second = change(aggregates, id, -5).catch((error: unknown) => {
      reported = true;
      return error;
    });
    await turns();
    expect(reported).toBe(false);
    held.release();
    expect(await second).toBeInstanceOf(Refusal);
    expect(await spending).toMatchObject({ state: { balance: 0n } });
  });

  test('A1: 64 parallel spends of a balance that is good for k: exactly k win', async () => {
    for (let round = 0; round < 25; round += 1) {
      const k = (round * 11) % 65;
      const purseId = freshId();
      if (k > 0) await change(aggregates, purseId, k);
      const writers = soleWriter ? [aggregates] : [aggregates, over(store)];
      const spends = Array.from({ length: 64 }, (_, at) =>
        patiently((context) => change(writers[at % writers.length] as Aggregates, purseId, -1, context)),
      );
      const outcomes = await Promise.allSettled(spends);
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(k);
      expect(outcomes.every((outcome) => outcome.status === 'fulfilled' || outcome.reason instanceof Refusal)).toBe(
        true,
      );
      expect(await over(store).load(purse, purseId)).toEqual({ state: { balance: 0n }, revision: k === 0 ? -1 : k });
    }
  });

  test('whatever fails and however many write: every event was decided on exactly what stands before it, and acknowledged = kept', async () => {
    const kinds = fc.array(fc.constantFrom<FaultKind>('refuse', 'drop', 'lose-reply'), { maxLength: 8 });
    const plan = fc.record({
      kinds,
      seed: fc.integer(),
      capacity: fc.constantFrom(1, 2, 50),
      writers: fc.integer({ min: 1, max: soleWriter ? 1 : 3 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ kinds: faults, seed, capacity, writers }) => {
        await chaos(soleWriter, faults, seed, capacity, writers);
      }),
      { numRuns: 60 },
    );
  });
});

/** As a client does: the same command id again while the answer is Unavailable. */
async function patiently<T>(ask: (context: CommandContext) => Promise<T>, context = command()): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask(context);
    } catch (error) {
      if (!(error instanceof Unavailable) || tries >= 50) throw error;
    }
  }
}

async function chaos(
  soleWriter: boolean,
  kinds: readonly FaultKind[],
  seed: number,
  capacity: number,
  writers: number,
): Promise<void> {
  const store = new MemoryEventStore({ soleWriter });
  const processes = Array.from({ length: writers }, () => over(store, capacity));
  let state = seed >>> 0;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const kept = new Map<string, string>();
  const work = Array.from({ length: 60 }, async () => {
    await turns(random(6));
    if (random(4) === 0 && kinds.length > 0) store.faults.next({ kind: kinds[random(kinds.length)] as FaultKind });
    const [id, context] = [`p${random(3)}`, command()];
    const aggregates = processes[random(writers)] as Aggregates;
    const ask = (): Promise<unknown> =>
      change(aggregates, id, random(2) ? 5 : -5, context).then(() => kept.set(context.commandId, id));
    await ask().catch((error: unknown) => {
      if (!(error instanceof Refusal || error instanceof Unavailable)) throw error;
    });
  });
  await Promise.all(work);
  const commands = new Set<string>();
  for (const id of ['p0', 'p1', 'p2']) {
    let balance = 0n;
    for (const { data, meta } of await store.read(`purse-${id}`)) {
      const { amount, before } = data as { amount: string; before: string };
      expect(before).toBe(String(balance));
      balance += BigInt(amount);
      expect(balance >= 0n).toBe(true);
      expect(commands.has(meta.commandId)).toBe(false);
      commands.add(meta.commandId);
    }
  }
  for (const commandId of kept.keys()) expect(commands.has(commandId)).toBe(true);
}
