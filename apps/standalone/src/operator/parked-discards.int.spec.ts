import { EventHandler, RETRIES, Tries } from '@ponte/bus-in-process';
import type { ParkedEvent, Recorded } from '@ponte/event-sourcing';
import { PARKED_AFTER_GAP, PARKED_BEHIND } from '@ponte/event-sourcing';
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
  const discardMessage = expect.stringMatching(
    /a0 is not parked; discarded before: 0 OrderPlaced a0 of order-a of ledger at \d{4}-.* \(ops: a test\)/,
  );
  for (const command of [
    ['parked', 'release'],
    ['dead-letters', 'replay'],
  ])
    expect(await verb(...command, 'a0', ...because)).toMatchObject({ code: 0, out: discardMessage });
  expect((await verb('parked', 'release', 'a9', ...because)).out).toContain('a9 is not parked here: it was released');
});

test('a change without a reason or a name is not understood', async () => {
  await stopped(1, (events) => events.map((event) => row(event)));
  for (const blank of [
    ['--reason', ' '],
    ['--reason', ''],
    ['--reason', 'x', '--actor', ' '],
  ])
    expect(await verb('parked', 'discard', 'a0', '--confirm', ...blank)).toMatchObject({ code: 2 });
  expect(await operated.json('parked', 'list')).toMatchObject([{ event: 'a0' }]);
});

describe('the events that a restore undid', () => {
  const undone = (...more: string[]) => verb('parked', 'discard-undone', ...more, ...because);
  const waiting = async () => (await operated.json('parked', 'list')).map(({ event }) => event);
  const lost = (event: Recorded, id: string) => row({ ...event, id });

  test('are removed together, wherever they wait, each with its record; those of the log stay parked', async () => {
    await stopped(3, (events) => {
      const [first, second, third] = events as [Recorded, Recorded, Recorded];
      return [row(first), row(second), lost(second, 'x1'), lost(third, 'x2')];
    });
    expect(await undone()).toMatchObject({
      code: 0,
      out: expect.stringMatching(/x1 .*not changed\n.*x2 [^]*--confirm/),
    });
    expect(await waiting()).toEqual(['a0', 'a1', 'x1', 'x2']);
    expect(await undone('--confirm')).toMatchObject({ code: 0, out: expect.stringMatching(/x1 .*removed\n.*x2 /) });
    expect(await waiting()).toEqual(['a0', 'a1']);
    expect(await operated.json('actions')).toMatchObject(
      ['x2', 'x1'].map((event) => ({
        ...{ verb: 'parked discard', subject: { event }, ended: 'done' },
        ...{ actor: 'ops', reason: 'a test' },
      })),
    );
    expect(await undone('--confirm')).toMatchObject({ code: 0, out: 'every parked event is in the log' });
  });

  test('are handled like any other when a repeated request records them again', async () => {
    await stopped(1, ([event]) => [lost({ ...(event as Recorded), revision: 1 }, 'x1')]);
    expect(await undone('--confirm')).toMatchObject({ code: 0 });
    expect(await operated.json('parked', 'discarded')).toEqual([]);
    const { store, parkedEvents } = await operated.open();
    await store.append('order-a', 0, [anEvent('x1')]);
    const handled: string[] = [];
    const consume = async ({ id }: Recorded): Promise<void> => void handled.push(id);
    const logger = { warn: () => undefined, error: () => undefined };
    const parts = { parked: parkedEvents, log: store, logger, systemNow: () => 0 };
    const group = new EventHandler(parts, { group: 'ledger', service: 'orders', consume }, {});
    await group.loadParked();
    for (const event of await store.read('order-a')) await group.handle(event, new Tries(RETRIES));
    expect([handled, await parkedEvents.list()]).toEqual([['a0', 'x1'], []]);
  });

  test('stay parked if they are recorded again and delivered while they are removed', async () => {
    await stopped(1, ([event]) => [lost({ ...(event as Recorded), revision: 1 }, 'x1')]);
    operated.change = ({ parkedEvents, findEvent }) => {
      let isRecorded = false;
      const again = { ...anEvent('x1'), stream: 'order-a', revision: 4, position: '9' };
      const removeUndone = parkedEvents.removeUndone.bind(parkedEvents);
      jest.spyOn(parkedEvents, 'removeUndone').mockImplementation(async (group, id, revision, isInLog) =>
        removeUndone(group, id, revision, async () => {
          const was = await isInLog();
          isRecorded = true;
          await parkedEvents.replace(row(again, { reason: PARKED_BEHIND }));
          return was;
        }),
      );
      return { findEvent: async (...one) => (isRecorded ? again : findEvent(...one)) };
    };
    const message = 'not removed: x1 has just been recorded again, so it stays parked; release its stream';
    expect(await undone('--confirm')).toMatchObject({ code: 1, out: expect.stringContaining(message) });
    expect(await operated.json('parked', 'list')).toMatchObject([{ event: 'x1', revision: 4, reason: PARKED_BEHIND }]);
  });

  test('keep the mark of a gap in which the log has events, because the next event would be handled without them', async () => {
    const mark = (event: Recorded, id: string, revision: number, missingFrom: number) => ({
      ...lost({ ...event, revision }, id),
      ...{ reason: PARKED_AFTER_GAP, missingFrom },
    });
    await stopped(2, ([first]) => [
      mark(first as Recorded, 'x5', 5, 1),
      lost({ ...(first as Recorded), revision: 6 }, 'x6'),
      { ...mark(first as Recorded, 'y5', 5, 2), group: 'orders' },
    ]);
    const kept = /x5 .* removed\n.*y5 .* removed\n.*x6 .*not removed: it marks a gap/;
    for (const shown of [kept, /x6 .*not removed: it marks a gap/])
      expect(await undone('--confirm')).toMatchObject({ code: 1, out: expect.stringMatching(shown) });
    expect(await operated.json('parked', 'list')).toMatchObject([{ event: 'x6', 'missing-from': 1 }]);
    for (const confirm of [['--confirm'], []])
      expect(await verb('parked', 'discard', 'x6', ...confirm, ...because)).toMatchObject({
        code: 1,
        err: expect.stringContaining('x6 marks a gap, and no later parked event could mark it instead'),
      });
    expect(await undone()).toMatchObject({
      code: 0,
      out: expect.stringMatching(/x6 .*not removed: it marks a gap[^]*nothing was changed$/),
    });
  });

  test('that have to stay do not keep others from being removed, however low the limit is', async () => {
    await stopped(1, ([event]) => [
      ...['a', 'b'].map((stream) => ({
        ...lost({ ...(event as Recorded), revision: 5 }, `${stream}5`),
        ...{ reason: PARKED_AFTER_GAP, missingFrom: 0 },
        group: stream,
      })),
      { ...lost(event as Recorded, 'z1'), group: 'z' },
    ]);
    expect(await undone('--limit', '1', '--confirm')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/z1 .* removed/),
    });
    expect(await waiting()).toEqual(['a5', 'b5']);
  });

  test('are removed only up to the limit, and only of the group that was named', async () => {
    await stopped(1, ([event]) => [
      ...['x1', 'x2', 'x3'].map((id) => lost(event as Recorded, id)),
      { ...lost(event as Recorded, 'y1'), group: 'orders' },
    ]);
    for (const limit of ['0', '10001', 'all'])
      expect(await verb('actions', '--limit', limit)).toMatchObject({ code: 2 });
    for (const limit of ['0', '1001', '1e2', '-1', 'all'])
      expect(await undone('--limit', limit)).toMatchObject({ code: 2 });
    expect(await undone('--group', 'ledger', '--limit', '2', '--confirm')).toMatchObject({
      code: 0,
      out: expect.stringContaining('there are more than these 2; repeat the command for the rest'),
    });
    expect(await waiting()).toHaveLength(2);
    expect(await undone('--group', 'ledger', '--confirm')).toMatchObject({ code: 0 });
    expect(await waiting()).toEqual(['y1']);
  });
});
