import type { Recorded } from '@ponte/event-sourcing';
import { UnknownEvent } from '@ponte/event-sourcing';
import { serveOperators } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { anEvent, because, OperatorUnderTest, RELAY } from './testing/operator-under-test';

let operated: OperatorUnderTest;
beforeEach(() => {
  operated = new OperatorUnderTest();
});
afterEach(() => operated.close());

const verb = (...argv: string[]) => operated.verb(...argv);
const json = (...argv: string[]) => operated.json(...argv);

test('a parked stream is found and, after its cause is fixed, released once in order without delaying others', async () => {
  const running = await operated.open();
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

test('streams parked for one reason are released together, and those that fail again stay parked', async () => {
  const running = await operated.open();
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
    out: expect.stringContaining(
      '2 of 3 streams of ledger released; released only in part, the rest stays parked: order-c',
    ),
  });
  expect(handled).toEqual(['a1', 'a2', 'b1', 'b2']);
  expect((await json('parked', 'list')).map(({ event }) => event)).toEqual(['c1', 'c2', 'd1', 'd2']);
  expect(await json('actions')).toMatchObject([{ verb: 'parked release-by-reason', actor: 'ops', ended: 'failed' }]);
});

/** Engines with a consumer that fails on `a2` and `b1`, and the ids of what it handled. */
async function withParked(): Promise<string[]> {
  const running = await operated.open();
  const handled: string[] = [];
  running.bus.consume({
    group: 'ledger',
    service: 'orders',
    consume: async ({ id, type, version }) => {
      if (id === 'a2' || id === 'b1') throw new UnknownEvent(type, version);
      handled.push(id);
    },
  });
  await running.bus.start();
  serveOperators(running, []);
  running.timers.start();
  await running.store.append('order-a', -1, [anEvent('a1'), anEvent('a2'), anEvent('a3')]);
  await running.store.append('order-b', -1, [anEvent('b1')]);
  await eventually(async () => expect(await json('parked', 'list')).toHaveLength(3));
  return handled;
}

test('a parked event is shown before it is discarded, and its consumer then goes on without it', async () => {
  const handled = await withParked();
  const shown = await verb('parked', 'discard', 'a2', ...because);
  expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('nothing was changed') });
  expect(shown.out).toContain('in-log: yes');
  expect(shown.out).toContain('lost: what ledger does because of OrderPlaced');
  expect(shown.out).toContain('behind: 1 later events');
  expect([await json('parked', 'list'), await json('parked', 'discarded')]).toMatchObject([{ length: 3 }, []]);
  expect(await json('actions')).toEqual([]);

  expect(await verb('parked', 'discard', 'a2', '--confirm', ...because)).toMatchObject({
    code: 0,
    out: 'ledger will never handle 1 OrderPlaced a2 of order-a; 1 behind it stay parked until they are released',
  });
  expect(await verb('parked', 'release', 'order-a', ...because)).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 handled in order: 2 OrderPlaced a3'),
  });
  expect(handled).toEqual(['a1', 'a3']);
  expect((await json('parked', 'list')).map(({ event }) => event)).toEqual(['b1']);
  expect(await json('parked', 'discarded', '--group', 'ledger')).toMatchObject([
    { group: 'ledger', stream: 'order-a', revision: 1, event: 'a2', actor: 'ops', why: 'a test' },
  ]);
  expect((await json('actions')).map(({ verb: name, actor, reason, ended }) => [name, actor, reason, ended])).toEqual([
    ['parked release', 'ops', 'a test', 'done'],
    ['parked discard', 'ops', 'a test', 'done'],
  ]);
});

test('a discard can be repeated without an effect, and is refused for what is not the first parked event of a stream', async () => {
  await withParked();
  const discard = (id: string, ...more: string[]) => verb('parked', 'discard', id, '--confirm', ...more, ...because);
  expect(await discard('a3')).toMatchObject({ code: 1, err: expect.stringContaining('a3 waits behind a2') });
  expect(await discard('a1')).toMatchObject({ code: 1, out: expect.stringContaining('a1 is not parked') });
  expect(await discard('b1', '--group', 'orders')).toMatchObject({
    code: 1,
    out: expect.stringContaining('not parked'),
  });
  expect(await discard('b1')).toMatchObject({ code: 0, out: expect.stringContaining('nothing waits behind it') });
  const again = await verb('parked', 'discard', 'b1', '--confirm', '--reason', 'once more', '--actor', 'eva');
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('discarded before: 0 OrderPlaced b1') });
  expect(await json('parked', 'discarded')).toMatchObject([{ event: 'b1', actor: 'ops', why: 'a test' }]);
  expect((await json('parked', 'list')).map(({ event }) => event)).toEqual(['a2', 'a3']);
});

test('an event parked on its way to webhooks is discarded only if a restored log no longer has it', async () => {
  const running = await operated.open();
  await running.store.append('order-a', -1, [anEvent('a1')]);
  const [event] = (await running.store.read('order-a')) as [Recorded];
  const row = { group: RELAY, key: 'order-a', reason: 'UnknownEvent', parkedAt: event.meta.occurredAt };
  await running.parkedEvents.add({ ...row, event });
  await running.parkedEvents.add({ ...row, event: { ...event, id: 'lost', revision: 1 } });
  await operated.closeEngines();
  const discard = (id: string) => verb('parked', 'discard', id, '--confirm', ...because);
  expect(await discard('a1')).toMatchObject({ code: 1, err: expect.stringContaining('without gaps') });
  expect(await discard('lost')).toMatchObject({ code: 1, err: expect.stringContaining('waits behind a1') });
  const again = await operated.open();
  await again.parkedEvents.remove(RELAY, 'a1');
  await operated.closeEngines();
  expect((await verb('parked', 'discard', 'lost', ...because)).out).toContain('in-log: no');
  expect(await discard('lost')).toMatchObject({ code: 0 });
  // It is removed, so that it is handled if it is recorded again; the action is recorded.
  expect([await json('parked', 'list'), await json('parked', 'discarded')]).toEqual([[], []]);
  expect((await json('actions'))[0]).toMatchObject({
    verb: 'parked discard',
    subject: { event: 'lost' },
    ended: 'done',
  });
});
