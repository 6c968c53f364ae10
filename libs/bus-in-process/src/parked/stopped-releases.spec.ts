import type { ParkedEvents } from '@ponte/event-sourcing';
import { GAP, GROUP, leaving, setUp, STREAM } from './release-under-test.testing';

const STOPPED = 'the process is being stopped; repeat the command as it was to release the rest';

/** A stream of many events, of which all but the last two are missing. */
async function withManyMissing(count: number) {
  const under = await setUp('W'.repeat(count));
  await under.park(count - 2, { ...GAP, missingFrom: 0 });
  await under.park(count - 1);
  return { ...under, gap: `0-${count - 3}`, missing: Array.from({ length: count - 2 }, (_, at) => at) };
}

/** Aborts the signal after this many calls of a method of the parked events. */
function stopAfter(parked: ParkedEvents, method: 'add' | 'discardTogether' | 'remove', calls: number): AbortSignal {
  const [stopping, called] = [new AbortController(), parked[method].bind(parked) as (...args: unknown[]) => unknown];
  let left = calls;
  jest.spyOn(parked, method).mockImplementation(((...args: unknown[]) => {
    if ((left -= 1) === 0) stopping.abort();
    return called(...args);
  }) as never);
  return stopping.signal;
}

test('a release stops before its next event, and the repeated one handles the rest in order', async () => {
  const { handler, member, parked, park, handled, waiting } = await setUp('WWWW');
  for (const revision of [0, 1, 2, 3]) await park(revision);
  const signal = stopAfter(parked, 'remove', 2);
  await expect(handler.replay(STREAM, undefined, undefined, signal)).rejects.toThrow(STOPPED);
  expect([handled, await waiting()]).toEqual([
    [0, 1],
    [2, 3],
  ]);
  await expect(handler.replay(STREAM, undefined, undefined, signal)).rejects.toThrow(STOPPED);
  expect([await member().replay(STREAM), handled, await waiting()]).toEqual([true, [0, 1, 2, 3], []]);
});

test.each([
  ['it has parked all missing events', 'add', 100, 0],
  ['it has discarded all of them', 'discardTogether', 2, 200],
] as const)(
  'a release that leaves events out stops before %s; repeated as it was, it continues there',
  async (_what, method, calls, count) => {
    const { handler, member, parked, gap, missing, handled, waiting, discarded } = await withManyMissing(250);
    const signal = stopAfter(parked, method, calls);
    await expect(handler.replay(STREAM, undefined, leaving(gap), signal)).rejects.toThrow(STOPPED);
    expect([handled, (await discarded()).length, (await waiting()).slice(-2)]).toEqual([[], count, [248, 249]]);
    await expect(member().replay(STREAM)).rejects.toThrow(`revisions ${count}-247 of order-1 are missing`);
    expect(await member().replay(STREAM, undefined, leaving(gap))).toBe(true);
    expect([handled, await waiting(), await discarded()]).toEqual([[248, 249], [], missing]);
  },
);

test('leaving many events out reads each of them a few times, and discards them by the hundred', async () => {
  const count = 1_000;
  const { handler, parked, gap, handled, discarded } = await withManyMissing(count);
  const calls = Object.fromEntries(
    (['list', 'page', 'place', 'discard', 'discardTogether', 'discarded'] as const).map((method) => [
      method,
      jest.spyOn(parked, method),
    ]),
  );
  expect(await handler.replay(STREAM, undefined, leaving(gap))).toBe(true);
  expect([handled, (await discarded()).length]).toEqual([[count - 2, count - 1], count - 2]);
  for (const [method, spy] of Object.entries(calls))
    expect([method, spy.mock.calls.length <= 11]).toEqual([method, true]);
  expect(parked.place).not.toHaveBeenCalled();
  expect(await parked.list(GROUP)).toEqual([]);
});

test('of the events that are left out, one that was found to come after a gap leaves the gap to the next event', async () => {
  const { handler, parked, park, handled, waiting, discarded } = await setUp('WWWWWW');
  await park(5, { ...GAP, missingFrom: 1 });
  const discard = parked.discardTogether.bind(parked);
  jest.spyOn(parked, 'discardTogether').mockImplementationOnce(async (...of) => {
    // It is delivered at this moment, without the one before it.
    await park(3, { missingFrom: 0 });
    return discard(...of);
  });
  await expect(handler.replay(STREAM, undefined, leaving('1-4'))).rejects.toThrow('revisions 0 of order-1 are missing');
  expect([handled, await waiting(), await discarded()]).toEqual([[], [4, 5], [1, 2, 3]]);
  await park(0);
  expect([await handler.replay(STREAM, undefined, leaving('1-4')), handled]).toEqual([true, [0, 5]]);
  expect(await discarded()).toEqual([1, 2, 3, 4]);
});
