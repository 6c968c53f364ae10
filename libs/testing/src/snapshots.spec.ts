import { setImmediate as immediately } from 'node:timers/promises';
import type { Decider, Snapshot } from '@ponte/event-sourcing';
import {
  Aggregates,
  event,
  REMEMBERED_COMMANDS,
  SNAPSHOT_EVERY,
  STREAM_PAGE,
  StreamFolds,
} from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import type { MemoryLog } from './memory/log';
import { MemoryEventStore } from './memory/event-store';
import { MemorySnapshots } from './memory/snapshots';
import { command, settle, counting } from './counted-reads.testing';

class Counted extends event('Counted')<{ by: number }> {}
interface Tally {
  readonly total: number;
  readonly notes: Uint8Array;
}

let evolved = 0;
const tallyOf = (shape: number): Decider<number, Tally, Counted> => ({
  category: 'tally',
  initial: { total: 0, notes: new Uint8Array(4) },
  events: [Counted],
  decide: (by) =>
    by < 0 ? refuse('amount-below-minimum', 'too little') : Array.from({ length: by }, () => new Counted({ by: 1 })),
  evolve({ total, notes }, { data }) {
    evolved += 1;
    return { total: total + data.by, notes };
  },
  snapshots: {
    shape,
    encode: ({ total, notes }) => ({ head: { total }, parts: [notes] }),
    decode: ({ head, parts: [notes = new Uint8Array()] }) => ({ total: (head as { total: number }).total, notes }),
  },
});
const tally = tallyOf(1);

const WAYS = [{ soleWriter: true }, { soleWriter: false }];
describe.each(WAYS)('snapshots over a store with %j', ({ soleWriter }) => {
  let log: MemoryLog;
  let snapshots: MemorySnapshots;
  let failures: unknown[];
  beforeEach(() => {
    log = new MemoryEventStore().log;
    snapshots = new MemorySnapshots();
    failures = [];
    evolved = 0;
  });

  const start = (kept: MemorySnapshots | undefined = snapshots, from = log) => {
    const { store, reads } = counting(new MemoryEventStore({ soleWriter, log: from }));
    const aggregates = new Aggregates({
      store,
      systemNow: () => 0,
      pause: async () => immediately(),
      snapshots: kept,
      snapshotFailed: (_, error) => failures.push(error),
    });
    return {
      aggregates,
      reads,
      count: (by: number, context = command()) => aggregates.handle(tally, 'a', by, context),
    };
  };
  const total = async (decider = tally, kept?: MemorySnapshots) =>
    (await start(kept).aggregates.load(decider, 'a')).state.total;
  const grown = async (events: number): Promise<void> => {
    await start().count(events);
    await settle();
  };

  test('after a restart only the events after the snapshot are read and folded', async () => {
    await grown(SNAPSHOT_EVERY);
    await start().count(3);
    evolved = 0;
    const { aggregates, reads } = start();
    expect(await aggregates.load(tally, 'a')).toMatchObject({
      state: { total: SNAPSHOT_EVERY + 3 },
      revision: SNAPSHOT_EVERY + 2,
    });
    expect(evolved).toBe(3);
    expect(reads.every(({ from = 0, limit = Infinity }) => from >= SNAPSHOT_EVERY - 1 && limit <= STREAM_PAGE)).toBe(
      true,
    );
  });

  test('deleting all snapshots gives the same state', async () => {
    await grown(SNAPSHOT_EVERY);
    await start().count(3);
    const before = await start().aggregates.load(tally, 'a');
    snapshots.kept.clear();
    expect(await start().aggregates.load(tally, 'a')).toEqual(before);
  });

  test('a snapshot of another shape is ignored and replaced', async () => {
    await grown(SNAPSHOT_EVERY);
    expect(await total(tallyOf(2))).toBe(SNAPSHOT_EVERY);
    await settle();
    expect(snapshots.kept.get('tally-a')?.shape).toBe(2);
  });

  test.each<[string, (one: Snapshot) => Snapshot]>([
    ['its text is damaged', (one) => ({ ...one, body: one.body.replace('"total":1', '"total":7') })],
    [
      'a part is damaged',
      (one) => ({ ...one, parts: new Map([...one.parts].map(([digest]) => [digest, Uint8Array.of(1, 2, 3, 4)])) }),
    ],
    ['a part is missing', (one) => ({ ...one, parts: new Map() })],
  ])('a snapshot is not used when %s', async (_, damage) => {
    await grown(SNAPSHOT_EVERY);
    snapshots.kept.set('tally-a', damage(snapshots.kept.get('tally-a') as Snapshot));
    expect(await total()).toBe(SNAPSHOT_EVERY);
    expect(failures).toHaveLength(1);
  });

  test('a snapshot of events that the log does not have, as after a restore, is not used', async () => {
    await grown(SNAPSHOT_EVERY);
    const restored = new MemoryEventStore().log;
    await start(new MemorySnapshots(), restored).count(5);
    expect((await start(snapshots, restored).aggregates.load(tally, 'a')).state.total).toBe(5);
    const longer = new MemoryEventStore().log;
    await start(new MemorySnapshots(), longer).count(SNAPSHOT_EVERY + 1);
    expect((await start(snapshots, longer).aggregates.load(tally, 'a')).state.total).toBe(SNAPSHOT_EVERY + 1);
  });

  test('a failing store of snapshots does not stop commands', async () => {
    snapshots.load = () => Promise.reject(new Error('no room'));
    snapshots.save = () => Promise.reject(new Error('no room'));
    await grown(SNAPSHOT_EVERY);
    expect((await start().count(1)).state.total).toBe(SNAPSHOT_EVERY + 1);
    await settle();
    expect(failures.length).toBeGreaterThanOrEqual(2);
  });

  test('a repeated command from before the snapshot returns its first outcome and changes nothing', async () => {
    const context = command();
    await start().count(2, context);
    await start().count(SNAPSHOT_EVERY);
    await settle();
    expect(snapshots.saves).toBe(1);
    const again = await start().count(2, context);
    expect(again).toMatchObject({ replayed: true, revision: SNAPSHOT_EVERY + 1 });
    expect(again.events.map(({ revision }) => revision)).toEqual([0, 1]);
  });

  test('the number of remembered commands is bounded', async () => {
    const { count } = start();
    const first = command();
    await count(1, first);
    for (let at = 0; at < 2 * REMEMBERED_COMMANDS; at += 1) await count(1);
    expect((await count(1, first)).replayed).toBe(true);
    await count(1);
    await settle();
    const body = [...snapshots.kept.values()][0]?.body ?? '';
    expect((JSON.parse(body.slice(64)) as { commands: unknown[] }).commands.length).toBeLessThanOrEqual(
      2 * REMEMBERED_COMMANDS + 1,
    );
  });

  test('each event is folded once, by the command that decides on it', async () => {
    const { count } = start();
    await count(1);
    evolved = 0;
    for (let at = 0; at < 10; at += 1) await count(1);
    expect(evolved).toBe(10);
  });

  test('a long stream without a snapshot is folded in pages', async () => {
    await start(new MemorySnapshots()).count(2 * STREAM_PAGE + 1);
    const { aggregates, reads } = start(new MemorySnapshots());
    expect((await aggregates.load(tally, 'a')).revision).toBe(2 * STREAM_PAGE);
    expect(reads.every(({ limit = Infinity }) => limit <= STREAM_PAGE)).toBe(true);
    const folds = new StreamFolds(tally, new MemoryEventStore({ log }));
    expect((await folds.of('a')).state.total).toBe(2 * STREAM_PAGE + 1);
  });
});

test('events whose append failed are in no snapshot', async () => {
  const store = new MemoryEventStore();
  const snapshots = new MemorySnapshots();
  const aggregates = new Aggregates({ store, systemNow: () => 0, pause: async () => immediately(), snapshots });
  store.faults.next({ kind: 'refuse' });
  await expect(aggregates.handle(tally, 'a', SNAPSHOT_EVERY, command())).rejects.toThrow();
  await settle();
  expect(snapshots.saves).toBe(0);
});
