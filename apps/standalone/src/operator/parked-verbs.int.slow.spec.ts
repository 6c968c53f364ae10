import { UnknownEvent } from '@ponte/event-sourcing';
import { serveOperators } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { anEvent, because, OperatorUnderTest } from './testing/operator-under-test';

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
    out: expect.stringContaining('2 of 3 streams of ledger released; failed again and stay parked: order-c'),
  });
  expect(handled).toEqual(['a1', 'a2', 'b1', 'b2']);
  expect((await json('parked', 'list')).map(({ event }) => event)).toEqual(['c1', 'c2', 'd1', 'd2']);
  expect(await json('actions')).toMatchObject([{ verb: 'parked release-by-reason', actor: 'ops', ended: 'failed' }]);
});
