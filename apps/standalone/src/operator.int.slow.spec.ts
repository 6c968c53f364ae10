import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlitePersonalData } from '@ponte/eventstore-sqlite';
import { createViewTable, runProjector } from '@ponte/read-models';
import type { RebuildableView } from '@ponte/read-models';
import { UnknownEvent } from '@ponte/event-sourcing';
import type { EventToAppend, Recorded } from '@ponte/event-sourcing';
import type { Engines } from '@ponte/nest';
import { openEmbeddedEngines, openEmbeddedTools, readRuntime, serveOperators, skippedBy } from '@ponte/nest';
import { operatorVerbs, runOperator } from '@ponte/operator';
import { eventually, temporaryFolder } from '@ponte/testing';
import { Command } from 'commander';

interface Row {
  readonly id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly state: string;
}
const tableOf = (db: Engines['views']) => createViewTable<Row>({ db, table: 'orders', columns: { state: 'text' } });
const rowsOf = (events: readonly Recorded[]): Row[] => [
  ...new Map(
    events.map(({ stream, revision, type }) => [
      stream,
      { id: stream, revision, created_at: '2026-01-01T00:00:00.000Z', state: type },
    ]),
  ).values(),
];
const VIEW: RebuildableView = {
  name: 'orders-view',
  reader: 'orders-view',
  categories: ['order'],
  tables: ['orders'],
  async open(db) {
    const rows = tableOf(db);
    await rows.prepare();
    return { apply: ({ events }) => rows.putAll(rowsOf(events)) };
  },
};
const RELAY = 'webhook-outbox';
const all = { where: {}, page: { limit: 100, cursor: null, createdFrom: null, createdTo: null } };
const anEvent = (id: string, type = 'OrderPlaced'): EventToAppend => ({
  id,
  type,
  version: 1,
  data: {},
  meta: { commandId: id, index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: id },
});

let folder: ReturnType<typeof temporaryFolder>;
let engines: Engines | undefined;
const runtime = () => readRuntime({ PONTE_DATA_DIR: folder.path, PONTE_LOG_LEVEL: 'silent' });
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await engines?.close();
  engines = undefined;
  folder.remove();
});

/** As another process does it: only the files are shared. */
async function verb(...argv: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runOperator(
    (open, print) => {
      const program = new Command('admin').exitOverride().configureOutput({ writeErr: (text) => void err.push(text) });
      for (const one of operatorVerbs(open, print)) program.addCommand(one);
      return program.parseAsync(argv, { from: 'user' });
    },
    () => openEmbeddedTools(runtime(), [VIEW], [RELAY]),
    { print: (text) => void out.push(text), complain: (text) => void err.push(text) },
  );
  return { code, out: out.join('\n'), err: err.join('\n') };
}
const because = ['--reason', 'a test', '--actor', 'ops'];
const json = async (...argv: string[]): Promise<Record<string, unknown>[]> =>
  JSON.parse((await verb(...argv, '--json')).out) as Record<string, unknown>[];

test('a poison message is found, its cause cured, and its stream released: once, in order, others not held up', async () => {
  const running = (engines = await openEmbeddedEngines(runtime(), 'test'));
  const handled: string[] = [];
  let cured = false;
  running.bus.consume({
    group: 'ledger',
    service: 'orders',
    consume: async ({ id, type, version }) => {
      if (id === 'a2' && !cured) throw new UnknownEvent(type, version);
      handled.push(id);
    },
  });
  await running.bus.start();
  serveOperators(running, []);
  running.timers.start();
  for (const [stream, revision] of [
    ['order-a', 0],
    ['order-a', 1],
    ['order-b', 0],
    ['order-a', 2],
  ] as const)
    await running.store.append(stream, revision - 1, [anEvent(`${stream.slice(6)}${revision + 1}`)]);
  await eventually(async () => expect(await json('parked', 'list')).toHaveLength(2));
  expect(handled).toEqual(['a1', 'b1']);
  expect(await json('parked', 'list', '--topic', 'orders')).toMatchObject([
    { group: 'ledger', key: 'order-a', event: 'a2', reason: expect.stringContaining('UnknownEvent') },
    { event: 'a3', reason: expect.stringContaining('waits behind') },
  ]);
  expect(await json('parked', 'list', '--topic', 'webhooks')).toEqual([]);
  expect((await verb('parked', 'show', 'a2')).out).toContain('"stream": "order-a"');

  const early = await verb('parked', 'release', 'order-a', ...because);
  expect(early).toMatchObject({ code: 1, out: expect.stringContaining('0 of 2 handled') });
  cured = true;
  expect(await verb('parked', 'release', 'a3', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 handled in order: 1 OrderPlaced a2, 2 OrderPlaced a3'),
  });
  expect(handled).toEqual(['a1', 'b1', 'a2', 'a3']);
  expect(await verb('parked', 'release', 'order-a', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('was released before'),
  });
  expect(await verb('dead-letters', 'replay', 'a2', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('is not parked here'),
  });
  expect(handled).toHaveLength(4);
  const kept = await json('actions');
  expect(kept.map(({ verb: name, actor, reason, ended }) => [name, actor, reason, ended])).toEqual([
    ['parked release', 'ops', 'a test', 'done'],
    ['parked release', 'ops', 'a test', 'failed'],
  ]);
});

test('streams that are parked for one reason are released together, and those that fail again stay parked', async () => {
  const running = (engines = await openEmbeddedEngines(runtime(), 'test'));
  const handled: string[] = [];
  let cured = false;
  running.bus.consume({
    group: 'ledger',
    service: 'orders',
    consume: async ({ id, type, version }) => {
      if (id === 'c1' || !cured) throw id === 'd1' ? new UnknownEvent('Another', 9) : new UnknownEvent(type, version);
      handled.push(id);
    },
  });
  await running.bus.start();
  serveOperators(running, []);
  running.timers.start();
  for (const id of ['a', 'b', 'c', 'd'])
    await running.store.append(`order-${id}`, -1, [anEvent(`${id}1`), anEvent(`${id}2`)]);
  await eventually(async () => expect(await json('parked', 'list')).toHaveLength(8));
  expect(await verb('parked', 'release-by-reason', ' O', ...because)).toMatchObject({
    code: 1,
    err: expect.stringContaining('at least 3'),
  });
  expect(await verb('parked', 'release-by-reason', 'waits behind', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('no stream is parked'),
  });
  cured = true;
  const outcome = await verb('parked', 'release-by-reason', 'OrderPlaced', ...because);
  expect(outcome).toMatchObject({
    code: 1,
    out: expect.stringContaining('2 of 3 streams of ledger released; failed again and stay parked: order-c'),
  });
  expect(handled).toEqual(['a1', 'a2', 'b1', 'b2']);
  expect((await json('parked', 'list')).map(({ event }) => event)).toEqual(['c1', 'c2', 'd1', 'd2']);
  expect(await json('actions')).toMatchObject([{ verb: 'parked release-by-reason', actor: 'ops', ended: 'failed' }]);
});

test('a view is listed with what keeps it, and rebuilt by the process that runs', async () => {
  const running = (engines = await openEmbeddedEngines(runtime(), 'test'));
  const rows = tableOf(running.views);
  await rows.prepare();
  serveOperators(running, [VIEW]);
  running.timers.start();
  let broken = true;
  const { store, viewCheckpoints: checkpoints, lease, logger } = running;
  const projector = runProjector({
    store,
    checkpoints,
    lease,
    logger,
    name: 'orders-view',
    categories: ['order'],
    retryMs: [5],
    apply: async ({ events }) => {
      if (broken) throw new RangeError('a row that cannot be written');
      await rows.putAll(rowsOf(events));
    },
  });
  for (const id of ['a', 'b', 'c']) await store.append(`order-${id}`, -1, [anEvent(id)]);
  await eventually(async () =>
    expect(await json('views', 'list')).toMatchObject([
      { view: 'orders-view', behind: 3, trouble: expect.stringContaining('RangeError') },
    ]),
  );
  broken = false;
  await eventually(async () => expect(await json('views', 'list')).toMatchObject([{ behind: 0, trouble: null }]));
  const before = await rows.page(all);
  await rows.clear();
  await rows.put({ id: 'unknown', revision: 4, created_at: '2026-01-01T00:00:00.000Z', state: 'x' });
  expect(await verb('views', 'rebuild', 'orders-view', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('from 3 events'),
  });
  expect(await rows.page(all)).toEqual(before);
  expect(before.items).toHaveLength(3);
  await projector.stop();
});

test('a relay is put back by its holder, and by the verb itself when nothing runs; it goes on from there', async () => {
  const running = (engines = await openEmbeddedEngines(runtime(), 'test'));
  const seen: string[] = [];
  const { store, checkpoints, lease, logger } = running;
  const start = () =>
    runProjector({
      store,
      checkpoints,
      lease,
      logger,
      name: RELAY,
      retryMs: [5],
      apply: async ({ events }) => void seen.push(...events.map(({ id }) => id)),
    });
  const relay = start();
  running.rewindable.set(RELAY, relay);
  serveOperators(running, []);
  running.timers.start();
  for (const id of ['a', 'b', 'c']) await store.append(`order-${id}`, -1, [anEvent(id)]);
  await eventually(async () =>
    expect(await json('relay', 'show')).toEqual([{ relay: RELAY, position: '3', behind: 0, trouble: null }]),
  );
  expect(await verb('relay', 'rewind', RELAY, '--to', '4', ...because)).toMatchObject({
    code: 1,
    out: expect.stringContaining('beyond the end of the log, 3'),
  });
  expect(await verb('relay', 'rewind', RELAY, '--to', '1', ...because)).toMatchObject({ code: 0 });
  await eventually(() => expect(seen).toEqual(['a', 'b', 'c', 'b', 'c']));
  expect(await verb('relay', 'rewind', RELAY, '--to', 'start', ...because)).toMatchObject({ code: 0 });
  await eventually(() => expect(seen).toHaveLength(8));
  // A reader of the bank keeps a time, which is no place in the log.
  await checkpoints.save('received', '2026-01-01T00:00:00.000Z', 1);
  await eventually(async () =>
    expect(await json('checkpoints')).toMatchObject([
      { reader: 'received', behind: null },
      { reader: RELAY, position: '3', behind: 0 },
    ]),
  );
  await relay.stop();
  await running.close();
  engines = undefined;
  expect(await verb('relay', 'rewind', RELAY, '--to', 'start', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('when its service starts'),
  });
  expect(await json('relay', 'show', RELAY)).toEqual([{ relay: RELAY, position: 'start', behind: 3, trouble: null }]);
}, 60_000);

test('an unknown name is answered with the known ones, and nothing is changed without a reason', async () => {
  engines = await openEmbeddedEngines(runtime(), 'test');
  expect(await verb('views', 'rebuild', 'order', ...because)).toMatchObject({
    code: 1,
    err: expect.stringContaining('no view is called order; there are orders-view'),
  });
  expect(await verb('relay', 'rewind', 'relay-orders', '--to', 'start', ...because)).toMatchObject({
    code: 1,
    err: expect.stringContaining('there are webhook-outbox'),
  });
  expect(await verb('parked', 'list', '--topic', 'unknown')).toMatchObject({
    code: 1,
    err: expect.stringContaining('there are gateway, onboarding'),
  });
  expect(await verb('views', 'rebuild', '--all')).toMatchObject({ code: 2 });
  expect(await json('actions')).toEqual([]);
});

test('the master key of a folder is changed while nothing runs, wherever a crash ends it', async () => {
  const at = (name: string): string => join(folder.path, name);
  const opening = async (sealed: string) => {
    const data = openSqlitePersonalData({ directory: folder.path });
    return data.open(sealed as never).finally(() => data.close());
  };
  const running = await openEmbeddedEngines(runtime(), 'test');
  const sealed = await running.personalData.seal('person', 'Maria');
  await running.personalData.seal('gone', 'Ana');
  await running.personalData.erase('gone');
  expect(await verb('keys', 'rewrap', ...because)).toMatchObject({
    code: 1,
    err: expect.stringContaining('stop what runs'),
  });
  await running.close();
  const before = readFileSync(at('master.key'), 'utf8');
  expect(await verb('keys', 'rewrap', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 keys of persons'),
  });
  expect(readFileSync(at('master.key'), 'utf8')).not.toBe(before);
  expect(readFileSync(at('master.previous.key'), 'utf8')).toBe(before);
  expect(await opening(sealed)).toBe('Maria');
  // Killed after the transaction and before the files were renamed.
  renameSync(at('master.key'), at('master.next.key'));
  renameSync(at('master.previous.key'), at('master.key'));
  expect(await opening(sealed)).toBe('Maria');
  expect(existsSync(at('master.next.key'))).toBe(false);
  // Killed before the transaction: a key lies there that nothing is under.
  const [current, next] = [readFileSync(at('master.key'), 'utf8'), 'ab'.repeat(32)];
  writeFileSync(at('master.next.key'), `${next}\n`, { mode: 0o600 });
  expect(await opening(sealed)).toBe('Maria');
  expect(readFileSync(at('master.key'), 'utf8')).toBe(current);
  expect(await verb('keys', 'rewrap', ...because)).toMatchObject({ code: 0 });
  expect(readFileSync(at('master.key'), 'utf8').trim()).toBe(next);
  expect(await opening(sealed)).toBe('Maria');
});

test('an event that is not ours is passed over where it stops a reader, once an operator has said so, and the decision stays', async () => {
  engines = await openEmbeddedEngines(runtime(), 'test');
  const fault = {
    kind: 'foreign-event',
    reader: 'orders-view',
    stream: 'order-1',
    revision: '7',
    text: 'not ours',
  } as const;
  serveOperators({ ...engines, logFaults: () => [fault] }, []);
  engines.timers.start();
  const isSkipped = skippedBy(engines.operator);
  expect(await verb('log', 'skip', '--stream', 'order-1', '--revision', '7', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('pass over revision 7 of order-1') as string,
  });
  expect(await verb('log', 'skip', '--stream', 'order-1', '--revision', 'last', ...because)).toMatchObject({
    code: 1,
    err: expect.stringContaining('whole number') as string,
  });
  expect([await isSkipped('order-1', '7'), await isSkipped('order-1', '8')]).toEqual([true, false]);
  expect(await json('actions')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ verb: 'log skip', actor: 'ops', reason: 'a test', ended: 'done' }),
    ]),
  );
});
