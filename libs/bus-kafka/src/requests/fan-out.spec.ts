import { PARKED_AFTER_GAP, PARKED_BEHIND } from '@ponte/event-sourcing';
import { GROUP, SERVICE, setUp, STREAM } from './fan-out-under-test.testing';

describe('a gap that shows at an event that the group does not want', () => {
  it('parks the next event that the group wants', async () => {
    const { receive, handled, waiting } = setUp('WWuuW');
    await receive(0, 3, 4);
    expect([handled, await waiting()]).toEqual([[0], [[4, PARKED_AFTER_GAP]]]);
  });

  it('parks nothing once all missing events were published again', async () => {
    const { receive, handled, waiting } = setUp('WWuuWW');
    await receive(0, 3);
    await receive(0, 1, 2, 3, 4, 5);
    expect([handled, await waiting()]).toEqual([[0, 1, 4, 5], []]);
  });

  it('stays if only some of the missing events were published again', async () => {
    const { receive, handled, waiting } = setUp('WWuuW');
    await receive(0, 3);
    await receive(2, 3, 4);
    expect([handled, await waiting()]).toEqual([[0], [[4, PARKED_AFTER_GAP]]]);
  });

  it('parks a missing event that comes without the one before it, so that neither is lost', async () => {
    const { receive, handled, waiting } = setUp('WWWuW');
    await receive(0, 3);
    await receive(2);
    expect([handled, await waiting()]).toEqual([[0], [[2, PARKED_AFTER_GAP]]]);
    await receive(0, 1, 2, 3, 4);
    expect([handled, await waiting()]).toEqual([
      [0],
      [
        [1, PARKED_BEHIND],
        [2, PARKED_AFTER_GAP],
        [4, PARKED_BEHIND],
      ],
    ]);
  });

  it('stays while another gap is filled', async () => {
    const { receive, handled, waiting } = setUp('WWuWuW');
    await receive(0, 2, 4);
    await receive(1, 2, 5);
    expect([handled, await waiting()]).toEqual([[0, 1], [[5, PARKED_AFTER_GAP]]]);
  });
});

it('each of two gaps is marked, so that a discard of the first mark does not hide the second', async () => {
  const { receive, handled, waiting } = setUp('WWWWWW');
  await receive(0, 2, 4, 5);
  expect([handled, await waiting()]).toEqual([
    [0],
    [
      [2, PARKED_AFTER_GAP],
      [4, PARKED_AFTER_GAP],
      [5, PARKED_BEHIND],
    ],
  ]);
});

it('no missing event of a gap that only the log shows is handled without the one before it', async () => {
  const { receive, handled, waiting } = setUp('WWWWuW', 0);
  // The log has four events that the consumer did not get, and the relay was rewound too little.
  await receive(4);
  await receive(3);
  expect([handled, await waiting()]).toEqual([[], [[3, PARKED_AFTER_GAP]]]);
  await receive(1, 2, 3);
  expect([handled, (await waiting()).map(([revision]) => revision)]).toEqual([[], [1, 2, 3]]);
});

it('nothing is parked for a gap that only the log shows once all missing events were published again', async () => {
  const { receive, handled, waiting } = setUp('WWWuW', 0);
  await receive(3);
  await receive(1, 2, 3, 4);
  expect([handled, await waiting()]).toEqual([[1, 2, 4], []]);
});

describe('a gap before an event', () => {
  it('that was already discarded parks the next event, which marks the gap', async () => {
    const { receive, handled, waiting, parked, eventAt, delivery } = setUp('WuuWW');
    await receive(0);
    await parked.add({ group: GROUP, key: STREAM, event: eventAt(3), reason: 'TypeError', parkedAt: '' });
    await parked.discard(GROUP, 'e3', { actor: 'ana', why: 'x', discardedAt: '' });
    delivery.refresh();
    await receive(2, 3, 4);
    expect([handled, await waiting()]).toEqual([[0], [[4, PARKED_AFTER_GAP]]]);
  });

  it('that was already parked for another reason is marked by that event', async () => {
    const { receive, parked, eventAt, delivery } = setUp('WWuWW');
    await receive(0);
    await parked.add({ group: GROUP, key: STREAM, event: eventAt(3), reason: 'TypeError', parkedAt: '' });
    delivery.refresh();
    await receive(2, 3, 4);
    expect(await parked.list(GROUP)).toMatchObject([
      { event: { revision: 3 }, reason: 'TypeError', missingFrom: 1 },
      { event: { revision: 4 }, reason: PARKED_BEHIND },
    ]);
  });
});

it('a gap that no event marks is forgotten once another member has had the partition', async () => {
  const { receive, loseAndRegain, handled, waiting } = setUp('WWuWW', 0);
  await receive(2);
  // Another member got the missing event, and more.
  loseAndRegain(3);
  await receive(4);
  expect([handled, await waiting()]).toEqual([[4], []]);
});

it('a partition that ends before what was read of it is reported as such, with the position to rewind to', async () => {
  const { receive, recreate, loseAndRegain, logged } = setUp('WWWW', 0);
  await receive(1, 2);
  expect(logged).toEqual([]);
  recreate();
  await receive(3);
  expect(logged).toEqual([
    {
      fields: { service: SERVICE, topic: 'orders.events', partition: 0, offset: '0', rewindTo: '0' },
      message: expect.stringMatching(
        /^a partition ends before messages that were already read from it, or its committed offset/,
      ),
    },
    { fields: expect.anything(), message: expect.stringContaining('events of a stream are missing') },
  ]);
  loseAndRegain(3);
  await receive(3);
  expect(logged[2]).toEqual({
    fields: { service: SERVICE, topic: 'orders.events', partition: 0, offset: '11', expected: '0', rewindTo: '3' },
    message: expect.stringContaining('messages of a partition are missing'),
  });
});

it('a handled event that was lost with its topic fills the gap that a parked event marks', async () => {
  const { receive, recreate, handled, waiting, delivery } = setUp('WWWW', 0);
  await receive(1, 2);
  // The brokers lost the events together with the offsets of those that were finished.
  recreate();
  await receive(3);
  await receive(0, 1, 2, 3);
  expect([handled, await waiting()]).toEqual([
    [1, 2],
    [
      [1, PARKED_BEHIND],
      [2, PARKED_BEHIND],
      [3, PARKED_AFTER_GAP],
    ],
  ]);
  await delivery.release(STREAM);
  expect([handled, await waiting()]).toEqual([[1, 2, 1, 2, 3], []]);
  await receive(1, 2, 3);
  expect(handled).toHaveLength(5);
});
