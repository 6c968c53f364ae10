import type { Recorded } from '@ponte/event-sourcing';
import type { Engines } from '@ponte/nest';
import { serveOperators } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { anEvent, because, OperatorUnderTest } from './testing/operator-under-test';

const [BEHIND, MISSING, BUG] = [
  'waits behind an earlier event of its stream',
  'earlier events of its stream are missing',
  'TypeError: cannot read a price',
];

let operated: OperatorUnderTest;
let engines: Engines;
/** Ids of the events that the consumer fails on. */
const failingIds = new Set<string>();
beforeEach(() => {
  operated = new OperatorUnderTest();
});
afterEach(() => {
  failingIds.clear();
  return operated.close();
});

const release = (text: string, ...more: string[]) =>
  operated.verb('parked', 'release-by-reason', text, ...more, ...because);
const waiting = async () => (await operated.json('parked', 'list')).map(({ event }) => event);

/** Streams whose events are parked with the given reasons in this order, and the ids of what is handled afterwards. */
async function parkedWith(streams: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  const running = (engines = await operated.open());
  const handled: string[] = [];
  const consume = async ({ id }: Recorded): Promise<void> => {
    if (failingIds.has(id)) throw new RangeError('it has failed again');
    handled.push(id);
  };
  running.bus.consume({ group: 'ledger', service: 'orders', consume });
  await running.bus.start();
  serveOperators(running, []);
  running.timers.start();
  let count = 0;
  for (const [name, reasons] of Object.entries(streams)) {
    const stream = `order-${name}`;
    await running.store.append(
      stream,
      -1,
      reasons.map((_, at) => anEvent(`${name}${at}`)),
    );
    count += reasons.length;
  }
  await eventually(() => expect(handled).toHaveLength(count));
  for (const [name, reasons] of Object.entries(streams))
    // An empty reason is an event that was lost on its way.
    for (const [at, event] of ((await running.store.read(`order-${name}`)) as Recorded[]).entries())
      if (reasons[at])
        await running.parkedEvents.add({
          ...{ group: 'ledger', key: event.stream, event, reason: reasons[at] ?? '' },
          ...(reasons[at] === MISSING && reasons.includes('') ? { missingFrom: reasons.indexOf('') } : {}),
          parkedAt: event.meta.occurredAt,
        });
  handled.length = 0;
  return handled;
}

test('a stream with missing events behind its first parked one is left out and named', async () => {
  const handled = await parkedWith({ a: [BUG, BEHIND], b: [BUG, BEHIND, MISSING, BEHIND], c: [MISSING] });
  const outcome = await release('TypeError');
  expect(outcome).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 of 1 streams of ledger released; 1 left out'),
  });
  expect(outcome.out).toContain('order-b');
  expect(outcome.out).toContain('"parked list --group ledger"');
  expect(handled).toEqual(['a0', 'a1']);
  expect(await waiting()).toEqual(['b0', 'b1', 'b2', 'b3', 'c0']);

  expect(await release('TypeError', '--group', 'ledger')).toMatchObject({
    code: 0,
    out: expect.stringContaining('no stream of ledger released; 1 left out'),
  });
  expect(handled).toHaveLength(2);
});

test('streams with missing events are released by that reason, even when the missing events now come first', async () => {
  const handled = await parkedWith({ a: [BEHIND, MISSING, BEHIND], b: [MISSING, BEHIND, MISSING], c: [BUG, MISSING] });
  expect(await release('earlier events of its stream are missing')).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 of 2 streams of ledger released; 1 left out'),
  });
  expect(handled).toEqual(['a0', 'a1', 'a2', 'b0', 'b1', 'b2']);
  expect(await waiting()).toEqual(['c0', 'c1']);
});

test('the preview of a discard says whether the event marks a gap', async () => {
  await parkedWith({ a: [MISSING, BEHIND], b: [BUG], c: [BUG, BEHIND, MISSING] });
  const preview = async (id: string) => (await operated.verb('parked', 'discard', id, ...because)).out;
  expect(await preview('a0')).toContain(
    'gap: yes: events before it in its stream were missing when it was parked. No release handles events after ' +
      'them until they are parked or discarded too. If this event is discarded, the next parked event marks the gap',
  );
  expect(await preview('b0')).toContain('gap: no\n');
  expect(await preview('c0')).toContain('gap: yes: events before revision 2 in its stream were missing');
});

const list = (): Promise<Record<string, unknown>[]> => operated.json('parked', 'list');
const one = (verb: string, ...more: string[]) => operated.verb('parked', verb, 'order-a', ...more, ...because);

test('a stream with missing events is not released, by any command, until they are parked too', async () => {
  const handled = await parkedWith({ a: ['', '', MISSING, BEHIND] });
  const refused = { code: 1, out: expect.stringContaining('revisions 0-1 of order-a are missing before revision 2') };
  expect(await one('release')).toMatchObject(refused);
  expect(await operated.verb('dead-letters', 'replay', 'a3', ...because)).toMatchObject(refused);
  expect(await release('are missing')).toMatchObject({
    code: 1,
    out: expect.stringContaining('order-a (revisions 0-1 of order-a are missing before revision 2)'),
  });
  expect([handled, await waiting()]).toEqual([[], ['a2', 'a3']]);
  for (const event of (await engines.store.read('order-a')).slice(0, 2))
    await engines.parkedEvents.add({ group: 'ledger', key: 'order-a', event, reason: BEHIND, parkedAt: '' });
  expect(await one('release')).toMatchObject({ code: 0 });
  expect([handled, await waiting()]).toEqual([['a0', 'a1', 'a2', 'a3'], []]);
});

test('missing events are discarded by a release that names exactly them, once, with actor and reason', async () => {
  const handled = await parkedWith({ a: ['', '', MISSING] });
  expect(await one('release', '--gap', '0')).toMatchObject({ code: 1, out: expect.stringContaining('revisions 0-1') });
  for (const gap of ['all', '1-0', '0,0-1'])
    expect(await one('release', '--gap', gap)).toMatchObject({ code: 1, err: expect.stringContaining('3,5-7') });
  expect(await one('release', '--gap', '0-1')).toMatchObject({
    code: 0,
    out: expect.stringContaining('revisions 0-1 were discarded'),
  });
  expect(await one('release', '--gap', '0-1')).toMatchObject({
    code: 0,
    out: expect.stringContaining('released before'),
  });
  expect([handled, await waiting()]).toEqual([['a2'], []]);
  expect(await operated.json('parked', 'discarded')).toMatchObject(
    ['a0', 'a1'].map((event) => ({ event, actor: 'ops', why: 'a test' })),
  );
});

test('a discard of the event that marks a gap leaves the mark to the next one, if there is one', async () => {
  const handled = await parkedWith({ a: ['', MISSING, BEHIND] });
  const discard = (id: string) => operated.verb('parked', 'discard', id, '--confirm', ...because);
  expect(await discard('a1')).toMatchObject({ code: 0 });
  expect(await list()).toMatchObject([{ event: 'a2', 'missing-from': 0, reason: `${BEHIND}; ${MISSING}` }]);
  expect(await discard('a2')).toMatchObject({ code: 1, err: expect.stringContaining('marks a gap') });
  expect(await one('release')).toMatchObject({
    code: 1,
    out: expect.stringContaining('revisions 0 of order-a are missing'),
  });
  expect(handled).toEqual([]);
});

test('the list shows the latest failure and the first reason, and a release by reason uses the latest', async () => {
  const handled = await parkedWith({ a: [BUG, BEHIND] });
  failingIds.add('a0');
  for (const _ of [1, 2]) expect(await one('release')).toMatchObject({ code: 1 });
  expect(await list()).toMatchObject([
    { event: 'a0', reason: expect.stringMatching(/^RangeError/), 'first-reason': BUG, 'failed-again': 2 },
    { event: 'a1', reason: BEHIND, 'failed-again': 0, 'failed-again-at': null },
  ]);
  expect((await operated.verb('parked', 'list')).out).toMatch(/FAILED AGAIN.*\n.*2x, \d+ s ago/);
  failingIds.clear();
  expect(await release('cannot read a price')).toMatchObject({ code: 0, out: expect.stringContaining('no stream is') });
  expect(await release('RangeError')).toMatchObject({ code: 0, out: expect.stringContaining('1 of 1 streams') });
  expect([handled, await waiting()]).toEqual([['a0', 'a1'], []]);
});

test('an event that the restored log does not have is not released; without it, the rest is', async () => {
  const handled = await parkedWith({ a: [BUG, BEHIND] });
  const [event] = (await engines.store.read('order-a', { from: 1 })) as [Recorded];
  const lost = { ...event, id: 'lost' };
  await engines.parkedEvents.remove('ledger', event.id);
  await engines.parkedEvents.add({ group: 'ledger', key: 'order-a', event: lost, reason: BEHIND, parkedAt: '' });
  expect(await one('release')).toMatchObject({
    code: 1,
    out: expect.stringContaining(
      '1 of 2 handled; the rest stays parked: 1 OrderPlaced lost of order-a is not in the log',
    ),
  });
  expect(await operated.verb('parked', 'discard', 'lost', '--confirm', ...because)).toMatchObject({ code: 0 });
  expect([handled, await waiting()]).toEqual([['a0'], []]);
});
