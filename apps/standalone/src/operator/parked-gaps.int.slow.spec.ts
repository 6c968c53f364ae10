import type { Recorded } from '@ponte/event-sourcing';
import { serveOperators } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { anEvent, because, OperatorUnderTest } from './testing/operator-under-test';

const [BEHIND, MISSING, BUG] = [
  'waits behind an earlier event of its stream',
  'earlier events of its stream are missing',
  'TypeError: cannot read a price',
];

let operated: OperatorUnderTest;
beforeEach(() => {
  operated = new OperatorUnderTest();
});
afterEach(() => operated.close());

const release = (text: string, ...more: string[]) =>
  operated.verb('parked', 'release-by-reason', text, ...more, ...because);
const waiting = async () => (await operated.json('parked', 'list')).map(({ event }) => event);

/** Streams whose events are parked with the given reasons in this order, and the ids of what is handled afterwards. */
async function parkedWith(streams: Readonly<Record<string, readonly string[]>>): Promise<string[]> {
  const running = await operated.open();
  const handled: string[] = [];
  running.bus.consume({ group: 'ledger', service: 'orders', consume: async ({ id }) => void handled.push(id) });
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
    for (const [at, event] of ((await running.store.read(`order-${name}`)) as Recorded[]).entries())
      await running.parkedEvents.add({
        ...{ group: 'ledger', key: event.stream, event, reason: reasons[at] ?? '' },
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

test('streams with missing events are released by that reason, also when the missing events now come first', async () => {
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
    'gap: yes: events before it in its stream were missing when it was parked. Unless they were handled since, have ' +
      'them published again first (relay rewind): once a later event is handled, ledger never handles them',
  );
  expect(await preview('b0')).toContain('gap: no\n');
  expect(await preview('c0')).toContain('gap: yes: events before revision 2 in its stream were missing');
});
