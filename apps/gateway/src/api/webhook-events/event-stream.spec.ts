import { EventEmitter } from 'node:events';
import type { AccountEventsDto } from './account-event.dto';
import type { StreamParts } from './event-stream';
import { EventStream, STREAM_LIMITS } from './event-stream';

const MAX_PAGES = 20;

/** A stream whose client never waits: every page has an event, and there are always more. */
function busyStream(parts: Partial<StreamParts>) {
  const response = Object.assign(new EventEmitter(), { writableLength: 0, write: jest.fn(), end: jest.fn() });
  const page = (number: number): AccountEventsDto =>
    ({ events: [{ number, event: { 'event-type': 'order-created' } }], 'next-after': number, more: true }) as never;
  const sent = jest.fn();
  const stream = new EventStream({
    response: response as never,
    first: page(1),
    read: (after) =>
      after < MAX_PAGES ? Promise.resolve(page(after + 1)) : Promise.reject(new Error('nothing ended the stream')),
    mayGoOn: () => Promise.resolve(true),
    limits: STREAM_LIMITS,
    sent,
    ...parts,
  });
  const text = () => response.write.mock.calls.flat().join('');
  return { stream, sent, text };
}

describe('a stream that always has another event', () => {
  it('ends before the next page once the key may no longer read the account', async () => {
    let checks = 0;
    const mayGoOn = () => Promise.resolve((checks += 1) < 3);
    const { stream, sent } = busyStream({ mayGoOn });
    expect(await stream.run()).toBe('not-allowed');
    expect(sent).toHaveBeenCalledTimes(3);
  });

  it('ends after the longest time', async () => {
    const { stream, sent } = busyStream({ limits: { ...STREAM_LIMITS, longestMs: 0 } });
    expect(await stream.run()).toBe('time-over');
    expect(sent).toHaveBeenCalledTimes(1);
  });
});

describe('a stream that begins with nothing to send', () => {
  it('tells its position, so that a client that reconnects before the first event misses none', async () => {
    const first = { events: [], 'next-after': 7, more: true };
    const read = () => Promise.reject(new Error('the connection broke'));
    const { stream, sent, text } = busyStream({ first, read });
    await stream.run();
    expect(sent).not.toHaveBeenCalled();
    expect(text()).toBe('retry: 2000\nid: 7\n\n');
  });
});
