import 'reflect-metadata';
import { ListAccountEvents } from '@ponte/contracts';
import { CHILD } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import { useGateway } from '../../testing/use-gateway';
import { EventStreams, STREAMS_PER_KEY } from './event-streams.service';

const gateway = useGateway();

describe('a HEAD request for an event stream', () => {
  beforeAll(() =>
    gateway.bus.on(ListAccountEvents, () => ({ expired: false as const, events: [], next: 5, more: false })),
  );

  const head = (query = '') =>
    gateway.app.inject({
      method: 'HEAD',
      url: `/api/v1/accounts/${CHILD}/events/stream${query}`,
      headers: { authorization: `Bearer ${KEY.partner}` },
    });

  it('has the headers of the stream and ends at once, so that it takes no slot', async () => {
    for (let at = 0; at <= STREAMS_PER_KEY; at += 1) {
      const { statusCode, headers, body } = await head();
      expect([statusCode, headers['content-type'], headers['x-accel-buffering'], body]).toEqual([
        200,
        'text/event-stream; charset=utf-8',
        'no',
        '',
      ]);
    }
    expect((gateway.app.get(EventStreams) as unknown as { openCount: number }).openCount).toBe(0);
  });

  it('is refused like the stream', async () => expect((await head('?after=x')).statusCode).toBe(400));
});
