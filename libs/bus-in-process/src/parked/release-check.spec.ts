import type { Recorded } from '@ponte/event-sourcing';
import { PARKED_BEHIND } from '@ponte/event-sourcing';
import { Tries } from '../event-handler';
import { isByOutage } from '../outages';
import { DISCARD, GAP, GROUP, leaving, setUp, STREAM } from './release-under-test.testing';

test('a release handles nothing from the first missing event on, and says what is missing and what to do', async () => {
  const { handler, handled, park, waiting, events } = await setUp('WWuWWW');
  await park(0, { reason: 'TypeError' });
  await park(3);
  await park(5, { ...GAP, missingFrom: 1 });
  await expect(handler.replay(STREAM)).rejects.toThrow(
    `revisions 1,4 of order-1 are missing before revision 5; 1 W ${events[1]?.id}, 4 W ${events[4]?.id}; rewind the ` +
      'relay of the service that recorded them to have them published again, wait until it and the consumers have caught up (docs/operations/commands.md), and ' +
      'repeat the command; only if g must never handle them, add --gap 1,4: it discards them and handles the rest',
  );
  expect([handled, await waiting()]).toEqual([[0], [3, 5]]);
  await park(1);
  await park(4);
  expect([await handler.replay(STREAM), handled]).toEqual([true, [0, 1, 3, 4, 5]]);
});

test('a gap that was filled stays filled when the release fails in the middle of it', async () => {
  const { handler, handled, failing, park, parked } = await setUp('WWWW');
  for (const revision of [1, 2]) await park(revision);
  await park(3, { ...GAP, missingFrom: 1 });
  failing.set(2, new TypeError('x'));
  await expect(handler.replay(STREAM)).rejects.toThrow(TypeError);
  expect(await parked.list(GROUP)).toMatchObject([
    { reason: PARKED_BEHIND, failedAgain: { reason: expect.stringContaining('TypeError'), times: 1 } },
    { missingFrom: 3 },
  ]);
  failing.clear();
  expect([await handler.replay(STREAM), handled]).toEqual([true, [1, 2, 3]]);
});

test('events that the group does not want, and discarded ones, are not missing', async () => {
  const { handler, handled, park, parked, events } = await setUp('WuWW');
  await park(2, { reason: 'TypeError' });
  await parked.discard(GROUP, String(events[2]?.id), DISCARD);
  await park(3, { ...GAP, missingFrom: 1 });
  expect([await handler.replay(STREAM), handled]).toEqual([true, [3]]);
});

test.each([3, 0])(
  'an event that was recorded again is not handled as it was parked before, at revision %i',
  async (former) => {
    const { handler, handled, parked, waiting, events } = await setUp('WWWW');
    const again = events[1] as Recorded;
    await parked.add({
      ...{ group: GROUP, key: STREAM, event: { ...again, revision: former } },
      reason: '',
      parkedAt: '',
    });
    await expect(handler.replay(STREAM)).rejects.toThrow(
      `the log has ${again.id} of order-1 at revision 1, not ${former}; it was recorded again after a restore; rewind the relay`,
    );
    await handler.loadParked();
    for (const event of [again, events[2] as Recorded])
      await handler.handle(event, new Tries({ failed: [], unavailable: [] }));
    expect([handled, await waiting()]).toEqual([[], [1, 2]]);
    expect([await handler.replay(STREAM), handled]).toEqual([true, [1, 2]]);
  },
);

test('a gap whose beginning is unknown is open while an earlier event that the group wants is missing', async () => {
  const { handler, handled, park } = await setUp('WWuW');
  await park(3, GAP);
  await expect(handler.replay(STREAM)).rejects.toThrow('revisions 0-1 of order-1 are missing before revision 3');
  await park(1);
  await expect(handler.replay(STREAM)).rejects.toThrow('revisions 0 of order-1 are missing before revision 3');
  await park(0);
  expect([await handler.replay(STREAM), handled]).toEqual([true, [0, 1, 3]]);
});

describe('a release that leaves missing events out', () => {
  test('discards them in order and handles the rest', async () => {
    const { handler, handled, park, waiting, discarded } = await setUp('WWWWWW');
    await park(1, { reason: 'TypeError' });
    await park(4, { ...GAP, missingFrom: 2 });
    await park(5);
    expect(await handler.replay(STREAM, undefined, leaving('2-3'))).toBe(true);
    expect([handled, await waiting(), await discarded()]).toEqual([[1, 4, 5], [], [2, 3]]);
  });

  test('is refused if it does not name exactly what is missing, or if nothing is', async () => {
    const { handler, handled, park, waiting, discarded } = await setUp('WWWW');
    await park(3, { ...GAP, missingFrom: 1 });
    for (const other of ['1', '1-3', '2-1', '1-2,4-3', '2,1', '1-2,3-3,5-4', '1-2,9007199254740993'])
      await expect(handler.replay(STREAM, undefined, leaving(other))).rejects.toThrow('revisions 1-2 of order-1');
    await park(1);
    await park(2);
    await expect(handler.replay(STREAM, undefined, leaving('1-2'))).rejects.toThrow(
      'no events of the stream are missing',
    );
    expect([handled, await waiting(), await discarded()]).toEqual([[], [1, 2, 3], []]);
  });

  test('keeps them parked if an event before them fails, so that nothing is skipped unseen', async () => {
    const { handler, handled, failing, park, waiting, discarded } = await setUp('WWW');
    failing.set(0, new TypeError('x'));
    await park(0, { reason: 'TypeError' });
    await park(2, { ...GAP, missingFrom: 1 });
    await expect(handler.replay(STREAM, undefined, leaving('1'))).rejects.toThrow(TypeError);
    expect([handled, await waiting(), await discarded()]).toEqual([[], [0, 1, 2], []]);
  });
});

test('a release stops before an event that the log does not have, or has with another id', async () => {
  const { handler, handled, park, parked, events } = await setUp('WW');
  await park(0);
  await park(1, { event: { ...(events[1] as Recorded), id: 'lost' } });
  await expect(handler.replay(STREAM)).rejects.toThrow(
    '1 W lost of order-1 is not in the log; it is of a time that a restore undid, so it must not be handled; discard it ' +
      'with \'parked discard lost --group g --reason "…" --confirm\', then release the stream again',
  );
  expect(handled).toEqual([0]);
  await parked.discard(GROUP, 'lost', DISCARD);
  await park(1);
  expect([await handler.replay(STREAM), handled]).toEqual([true, [0, 1]]);
});

test('the latest failure decides whether the end of an outage releases a stream', async () => {
  const { handler, failing, park, parked } = await setUp('W');
  await handler.loadParked();
  await park(0, { reason: 'Unavailable: chain-unavailable: later' });
  await handler.loadParked();
  failing.set(0, new TypeError('x'));
  await expect(handler.replay(STREAM, isByOutage)).rejects.toThrow(TypeError);
  expect(await handler.outages(() => true)).toEqual([]);
  expect(await parked.list(GROUP)).toMatchObject([{ reason: expect.stringMatching(/^Unavailable/) }]);
});
