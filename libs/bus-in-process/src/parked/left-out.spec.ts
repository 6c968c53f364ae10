import type { Recorded } from '@ponte/event-sourcing';
import { PARKED_BEHIND, PARKED_LEFT_OUT } from '@ponte/event-sourcing';
import { Tries } from '../event-handler';
import { isByOutage } from '../outages';
import { DISCARD, GAP, GROUP, leaving, setUp, STREAM } from './release-under-test.testing';

/** A release with `--gap` that stops at its first event, before it has discarded the missing one. */
async function interrupted(types = 'WWW') {
  const under = await setUp(types);
  const { failing, park, handler } = under;
  failing.set(0, new TypeError('x'));
  await park(0, { reason: 'TypeError' });
  await park(types.length - 1, { ...GAP, missingFrom: 1 });
  const named = types.length === 3 ? '1' : `1-${types.length - 2}`;
  await expect(handler.replay(STREAM, undefined, leaving(named))).rejects.toThrow(TypeError);
  failing.clear();
  return under;
}

describe('after a release that leaves missing events out was interrupted', () => {
  test('any other release is refused until they are handled, and the same release works again', async () => {
    const { handler, member, handled, waiting, discarded } = await interrupted('WWWW');
    for (const one of [handler, member()])
      await expect(one.replay(STREAM)).rejects.toThrow('revisions 1-2 of order-1 are missing before revision 3');
    await expect(handler.replay(STREAM, undefined, leaving('1'))).rejects.toThrow('add --gap 1-2');
    expect([handled, await waiting(), await discarded()]).toEqual([[0], [1, 2, 3], []]);
    expect(await member().replay(STREAM, undefined, leaving('1-2'))).toBe(true);
    expect([handled, await waiting(), await discarded()]).toEqual([[0, 3], [], [1, 2]]);
  });

  test('the end of an outage does not release the stream', async () => {
    const { handler, handled, waiting } = await interrupted();
    expect([await handler.replay(STREAM, isByOutage), handled, await waiting()]).toEqual([false, [], [0, 1, 2]]);
  });

  test('events that are delivered after all are handled by a plain release', async () => {
    const { handler, member, events, handled, parked } = await interrupted();
    await handler.loadParked();
    // So that a member which has handled it before does not drop it as a duplicate.
    expect(await Promise.all(events.map((event) => handler.isMissing(event)))).toEqual([false, true, false]);
    await handler.handle(events[1] as Recorded, new Tries({ failed: [], unavailable: [] }));
    await expect(parked.list(GROUP)).resolves.toMatchObject([{}, { missingFrom: 1 }, {}]);
    expect([await member().replay(STREAM), handled]).toEqual([true, [0, 1, 2]]);
  });
});

test('a release that is interrupted between two discards can be repeated as it was', async () => {
  const { handler, parked, park, handled, waiting, discarded } = await setUp('WWWWW');
  await park(2);
  await park(4, { ...GAP, missingFrom: 1 });
  const discard = parked.discardTogether.bind(parked);
  const spy = jest.spyOn(parked, 'discardTogether').mockImplementation(async (...events) => {
    if ((await discarded()).length > 0) throw new Error('the database is down');
    return discard(...events);
  });
  await expect(handler.replay(STREAM, undefined, leaving('1,3'))).rejects.toThrow('the database is down');
  expect([handled, await waiting(), await discarded()]).toEqual([[2], [3, 4], [1]]);
  spy.mockRestore();
  await expect(handler.replay(STREAM)).rejects.toThrow('revisions 3 of order-1 are missing before revision 4');
  expect(await handler.replay(STREAM, undefined, leaving('1,3'))).toBe(true);
  expect([handled, await waiting(), await discarded()]).toEqual([[2, 4], [], [1, 3]]);
});

test('a release whose discards were made, but not the rest, can be repeated as it was', async () => {
  const { handler, park, failing, handled, waiting, discarded } = await setUp('WW');
  await park(1, { ...GAP, missingFrom: 0 });
  failing.set(1, new TypeError('x'));
  for (const _ of [1, 2]) await expect(handler.replay(STREAM, undefined, leaving('0'))).rejects.toThrow(TypeError);
  failing.clear();
  expect(await handler.replay(STREAM, undefined, leaving('0'))).toBe(true);
  expect([handled, await waiting(), await discarded()]).toEqual([[1], [], [0]]);
});

test('gaps that overlap are named, and left out, together', async () => {
  const { handler, park, handled, waiting, discarded } = await setUp('WWWWWW');
  await park(3, { ...GAP, missingFrom: 1 });
  await park(5, { ...GAP, missingFrom: 1 });
  await expect(handler.replay(STREAM)).rejects.toThrow('revisions 1-2,4 of order-1 are missing before revision 5');
  expect(await handler.replay(STREAM, undefined, leaving('1-2,4'))).toBe(true);
  expect([handled, await waiting(), await discarded()]).toEqual([[3, 5], [], [1, 2, 4]]);
});

describe('while one operator leaves an event out', () => {
  test('a plain release of another process does not handle it', async () => {
    const { handler, member, parked, park, handled, discarded } = await setUp('WWW');
    await park(0);
    await park(2, { ...GAP, missingFrom: 1 });
    const add = parked.add.bind(parked);
    let other: Promise<unknown> | undefined;
    jest.spyOn(parked, 'add').mockImplementation(async (one) => {
      await add(one);
      if (one.reason === PARKED_LEFT_OUT)
        await (other = member()
          .replay(STREAM)
          .catch((error: unknown) => error));
    });
    expect(await handler.replay(STREAM, undefined, leaving('1'))).toBe(true);
    expect(String(await other)).toContain('revisions 1 of order-1 are missing');
    expect([handled, await discarded()]).toEqual([[0, 2], [1]]);
  });

  test.each([
    [
      'was handled by another release',
      (parked: { remove: (g: string, id: string) => Promise<void> }, id: string) => parked.remove(GROUP, id),
    ],
    ['can not be discarded now', async () => undefined],
  ])('and it %s, the release says so and stops', async (_, instead) => {
    const { handler, parked, park, events, handled, discarded } = await setUp('WWW');
    await park(2, { ...GAP, missingFrom: 1 });
    jest.spyOn(parked, 'discardTogether').mockImplementation(async (_group, _key, [id = '']) => {
      await instead(parked, id);
      return new Set();
    });
    jest.spyOn(parked, 'discard').mockResolvedValue();
    await expect(handler.replay(STREAM, undefined, leaving('1'))).rejects.toThrow(
      `1 W ${events[1]?.id} of order-1 was not discarded`,
    );
    expect([handled, await discarded()]).toEqual([[], []]);
  });

  test('and the stream is released completely, the release does not claim that anything was discarded', async () => {
    const { handler } = await setUp('WW');
    await expect(handler.replay(STREAM, undefined, leaving('0'))).rejects.toThrow('no event of order-1 is parked');
  });
});

test('an event that a restore undid does not fill the gap of the event that has its revision now', async () => {
  for (const isDiscarded of [false, true]) {
    const { handler, parked, park, events, handled } = await setUp('WWW');
    await park(1, { event: { ...(events[1] as Recorded), id: 'lost' } });
    if (isDiscarded) await parked.discard(GROUP, 'lost', DISCARD);
    await park(2, { ...GAP, missingFrom: 1 });
    await expect(handler.replay(STREAM)).rejects.toThrow(`1 W ${events[1]?.id}`);
    expect(handled).toEqual([]);
  }
});

test('a gap whose beginning is unknown names all earlier events of its stream that are neither parked nor discarded', async () => {
  const { handler, park, handled, discarded } = await setUp(`WWu${'u'.repeat(300)}WW`);
  await park(1, { reason: PARKED_BEHIND });
  await park(304, GAP);
  await expect(handler.replay(STREAM)).rejects.toThrow(
    /revisions 0,303 of order-1 are missing before revision 304; .*; it is not known where the gap begins/,
  );
  expect(await handler.replay(STREAM, undefined, leaving('0,303'))).toBe(true);
  expect([handled, await discarded()]).toEqual([
    [1, 304],
    [0, 303],
  ]);
});
