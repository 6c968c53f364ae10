import type { ParkedEvent, Recorded } from '@ponte/event-sourcing';
import { anEvent, because, OperatorUnderTest } from './testing/operator-under-test';

let operated: OperatorUnderTest;
beforeEach(() => {
  operated = new OperatorUnderTest();
});
afterEach(() => operated.close());

const verb = (...argv: string[]) => operated.verb(...argv);
const row = (event: Recorded, more: Partial<ParkedEvent> = {}): ParkedEvent => ({
  ...{ group: 'ledger', key: event.stream, event, reason: 'TypeError', parkedAt: event.meta.occurredAt },
  ...more,
});

/** A stream of this many events in the log of a stopped process, of which `park` makes parked ones. */
async function stopped(count: number, park: (events: readonly Recorded[]) => readonly ParkedEvent[]) {
  const running = await operated.open();
  await running.store.append(
    'order-a',
    -1,
    Array.from({ length: count }, (_, at) => anEvent(`a${at}`)),
  );
  for (const one of park(await running.store.read('order-a', { limit: count }))) await running.parkedEvents.add(one);
  await operated.closeEngines();
}

test('whether the log has an event is also known behind the events that are shown of a stream', async () => {
  await stopped(1_001, (events) => [
    row({ ...(events[1_000] as Recorded), id: 'lost' }),
    row(events[1_000] as Recorded),
  ]);
  expect((await verb('parked', 'discard', 'lost', ...because)).out).toContain('in-log: no');
  expect((await verb('parked', 'discard', 'a1000', ...because)).out).toContain('in-log: yes');
});

test('a release or a replay of a discarded event says who discarded it, when and why', async () => {
  await stopped(2, (events) => events.map((event) => row(event)));
  expect(await verb('parked', 'discard', 'a0', '--confirm', ...because)).toMatchObject({ code: 0 });
  const told = expect.stringMatching(
    /a0 is not parked; discarded before: 0 OrderPlaced a0 of order-a of ledger at \d{4}-.* \(ops: a test\)/,
  );
  for (const command of [
    ['parked', 'release'],
    ['dead-letters', 'replay'],
  ])
    expect(await verb(...command, 'a0', ...because)).toMatchObject({ code: 0, out: told });
  expect((await verb('parked', 'release', 'a9', ...because)).out).toContain('a9 is not parked here: it was released');
});
