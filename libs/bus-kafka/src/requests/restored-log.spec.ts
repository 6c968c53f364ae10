import { PARKED_AFTER_GAP, PARKED_BEHIND, PARKED_NOT_IN_LOG } from '@ponte/event-sourcing';
import { setUp } from './fan-out-under-test.testing';

describe('events on the brokers that a restored log does not have', () => {
  it('do not count as received: the loss of those that replace them is noticed', async () => {
    const { receive, receiveBacklog, handled, parked, counted } = setUp('WWWW', -1);
    await receiveBacklog(0, -1, -2);
    // The events 1 and 2 of the log are lost.
    await receive(3);
    expect(await parked.list()).toMatchObject([
      { event: { id: 'undone 1' }, reason: PARKED_NOT_IN_LOG },
      { event: { id: 'undone 2' }, reason: PARKED_NOT_IN_LOG },
      { event: { id: 'e3' }, reason: PARKED_AFTER_GAP, missingFrom: 1 },
    ]);
    expect([handled, [...counted]]).toEqual([[0], ['e0', 'e3']]);
  });

  it('do not count as received if the group does not want them or a later event is taken in the meantime', async () => {
    const { receive, receiveBacklog, handled, waiting } = setUp('WuuWW', -1);
    await Promise.all([receiveBacklog(0, -1, -2), receive(3, 4)]);
    expect([handled, await waiting()]).toEqual([
      [0],
      [
        [3, PARKED_AFTER_GAP],
        [4, PARKED_BEHIND],
      ],
    ]);
  });

  it('do not hide that the events which replace them were received', async () => {
    const { receive, receiveBacklog, handled, waiting } = setUp('WuuWW', -1);
    await Promise.all([receiveBacklog(0, -1, -2, 0, 1, 2), receive(3, 4)]);
    expect([handled, await waiting()]).toEqual([[0, 3, 4], []]);
  });
});

it('the log is read once for many events of a backlog, and not for later ones', async () => {
  const { receive, receiveBacklog, handled, read } = setUp('W'.repeat(250), -1);
  await receiveBacklog(...Array.from({ length: 240 }, (_, at) => at));
  expect(read).toHaveBeenCalledTimes(3);
  await receive(...Array.from({ length: 10 }, (_, at) => 240 + at));
  expect([handled.length, read.mock.calls.length]).toEqual([250, 3]);
});

it('an event of a backlog is looked up again in the log if an earlier read did not reach it', async () => {
  const { receiveBacklog, handled, read, eventAt } = setUp('WW', -1);
  read.mockResolvedValueOnce([eventAt(0)]);
  await receiveBacklog(0, 1);
  expect(handled).toEqual([0, 1]);
});

it('an event of a backlog waits until the log answers, and is then noted once', async () => {
  const { receive, receiveBacklog, handled, waiting, read } = setUp('WuWW', -1);
  for (let failures = 0; failures < 2; failures += 1) read.mockRejectedValueOnce(new Error('no leader'));
  await receiveBacklog(0, 2);
  await receive(3);
  expect([handled, (await waiting()).map(([revision]) => revision)]).toEqual([[0], [2, 3]]);
});
