import { Unavailable } from '@ponte/kernel';
import { AppendOutcomeUnknown, EventStoreUnavailable, failureText } from '@ponte/event-sourcing';
import { isOutageReason } from './outages';
import { Tries } from './event-handler';
import { setUp } from './parked/release-under-test.testing';

test.each([
  ['a store that is away', () => new EventStoreUnavailable()],
  ['an append of unknown outcome', () => new AppendOutcomeUnknown('order-1')],
  [
    'a socket, wrapped',
    () => new Error('fetch failed', { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
  ],
  ['a full disk', () => Object.assign(new Error('full'), { code: 'SQLITE_FULL' })],
  [
    'brokers without a leader',
    () => Object.assign(new Error('no leader'), { name: 'KafkaJSProtocolError', retriable: true }),
  ],
])('%s counts as an outage, whatever throws it', (_, made) => {
  const tries = new Tries({ failed: [], unavailable: [7] });
  for (let count = 0; count < 100; count += 1) expect(tries.after(made())).toBe(7);
});

test('an outage uses up no attempts for other failures, and unexpected failures of another service are retried a limited number of times', () => {
  const tries = new Tries({ failed: [1], unexpected: [2], unavailable: [3] });
  for (let count = 0; count < 10; count += 1) expect(tries.after(new Unavailable('rail-unavailable'))).toBe(3);
  expect([
    tries.after(new Error('no')),
    tries.after(Unavailable.unexpected()),
    tries.after(new Unavailable('rail-unavailable')),
  ]).toEqual([1, 2, 3]);
  expect([tries.after(Unavailable.unexpected()), tries.after(new Error('no'))]).toEqual([undefined, undefined]);
  expect(isOutageReason(failureText(new Unavailable('chain-unavailable')))).toBe(true);
  expect([failureText(Unavailable.unexpected()), failureText(new TypeError('no'))].map(isOutageReason)).toEqual([
    false,
    false,
  ]);
});

test('the wait before another attempt is changed at random, so that events that failed together are not retried together', async () => {
  const { handler, failing, events } = await setUp('W');
  failing.set(0, new Unavailable('chain-unavailable'));
  const [event] = events;
  const waitWith = async (random: number) => {
    const spy = jest.spyOn(Math, 'random').mockReturnValue(random);
    try {
      return event && (await handler.handle(event, new Tries({ failed: [], unavailable: [1_000] })));
    } finally {
      spy.mockRestore();
    }
  };
  expect([await waitWith(0), await waitWith(0.5), await waitWith(1)]).toEqual([750, 1_000, 1_250]);
});
