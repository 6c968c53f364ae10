import { GoneError, Ponte } from '../index';
import type { EventLogOptions } from '../index';
import {
  cut,
  destroy,
  end,
  json,
  refusal,
  ScriptedServer,
  stream,
  streamEvery,
  write,
} from '../testing/scripted-server';

let server: ScriptedServer;
let ponte: Ponte;
beforeAll(async () => {
  server = await new ScriptedServer().start();
  ponte = new Ponte({ baseUrl: server.baseUrl, apiKey: 'k' });
});
afterAll(() => server.stop());

const event = (n: number) => ({ 'event-id': `e${n}`, 'event-type': 'order-completed', payload: { n } });
const sse = (n: number): string => `id: ${n}\nevent: order-completed\ndata: ${JSON.stringify(event(n))}\n\n`;
/** Longer than a busy machine takes for a response. */
const PATIENT_MS = 3_000;
/** A stream that stays open without further data. */
const open = stream();

/** Reads until `count` events have arrived. */
async function take(count: number, options: EventLogOptions = {}): Promise<number[]> {
  const positions: number[] = [];
  for await (const { position, event: one } of ponte.events('acc', options)) {
    expect(one.payload).toEqual({ n: position });
    if (positions.push(position) === count) break;
  }
  return positions;
}
const asked = () =>
  server.arrived.map(({ url, headers }) => `${url.split('?')[1] ?? ''} ${headers['last-event-id'] ?? '-'}`);

describe('the event log as a stream', () => {
  it('delivers each event with its position, however the bytes are split', async () => {
    const text = `: hello\n\n${sse(1)}${sse(2)}${sse(3)}`;
    const bytes = [...text].map((character) => write(character));
    server.behave(stream(...bytes.slice(0, 40), write(text.slice(40))));
    expect(await take(3)).toEqual([1, 2, 3]);
    expect(server.arrived[0]?.headers.accept).toBe('text/event-stream');
  });

  it('reconnects after the last event if the stream ends, breaks or is silent, and drops repetitions', async () => {
    server.behave(
      stream(write(sse(11)), end),
      cut,
      refusal(503, 'service-unavailable', { 'retry-after': '0' }),
      stream(write(`${sse(11)}${sse(12)}`), destroy),
      open,
      stream(write(sse(13))),
    );
    expect(await take(3, { after: 10, idleTimeoutMs: PATIENT_MS })).toEqual([11, 12, 13]);
    expect(asked()).toEqual(['after=10 10', 'after=11 11', 'after=11 11', 'after=11 11', 'after=12 12', 'after=12 12']);
  });

  it('is kept alive by heartbeats', async () => {
    const beats = Array.from({ length: 15 }, () => write(': heartbeat\n\n'));
    server.behave(streamEvery(PATIENT_MS / 10, ...beats, write(sse(1))));
    expect(await take(1, { idleTimeoutMs: PATIENT_MS })).toEqual([1]);
    expect(server.arrived).toHaveLength(1);
  });

  it('waits for the delay that the server requests with retry', async () => {
    server.behave(stream(write(`retry: 700\n\n${sse(1)}`), end), stream(write(sse(2))));
    await take(2);
    const [first, second] = server.arrived;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(690);
  });

  it('reports when it is open and when it was lost', async () => {
    const states: string[] = [];
    server.behave(stream(write(sse(1)), end), stream(write(sse(2))));
    await take(2, { onConnection: ({ state }) => states.push(state) });
    expect(states).toEqual(['open', 'lost', 'open']);
  });

  it.each([
    [410, 'cursor-expired'],
    [401, 'revoked-api-key'],
    [403, 'account-access-denied'],
  ])('throws %i %s, because another connection would not help', async (status, code) => {
    server.behave(refusal(status, code));
    await expect(take(1, { after: 5 })).rejects.toMatchObject({ status, code });
    expect(server.arrived).toHaveLength(1);
    if (status === 410) await expect(take(1, { after: 0 })).rejects.toBeInstanceOf(GoneError);
  });

  it("leaves no listeners on the caller's signal, however often it connects", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    const counted = new Set<unknown>();
    signal.addEventListener = ((type: 'abort', listener: () => void, options: object) => {
      counted.add(listener);
      listeners = Math.max(listeners, counted.size);
      add(type, listener, options);
    }) as typeof signal.addEventListener;
    signal.removeEventListener = ((type: 'abort', listener: () => void) => {
      counted.delete(listener);
      remove(type, listener);
    }) as typeof signal.removeEventListener;
    server.behave(
      stream(write(sse(1)), end),
      cut,
      refusal(503, 'service-unavailable'),
      stream(write(sse(2)), end),
      stream(write(sse(3))),
    );
    expect(await take(3, { signal })).toEqual([1, 2, 3]);
    expect([listeners <= 2, counted.size]).toEqual([true, 0]);
  });

  it('ends without an error when the caller aborts, and closes the connection', async () => {
    const controller = new AbortController();
    const closed = new Promise<void>((resolve) => {
      server.behave((response) => {
        response.on('close', resolve);
        stream(write(sse(1)))(response, server.arrived[0] as never);
      });
    });
    for await (const { position } of ponte.events('acc', { signal: controller.signal })) {
      expect(position).toBe(1);
      setTimeout(() => controller.abort(), 20);
    }
    await closed;
  });
});

describe('the event log as a list', () => {
  const listed = (more: boolean, ...positions: number[]) =>
    json({
      events: positions.map((number) => ({ number, event: event(number) })),
      'next-after': positions.at(-1) ?? 0,
      more,
    });
  const page = (...positions: number[]) => listed(false, ...positions);

  it.each([
    ['JSON', page()],
    ['406', refusal(406, 'not-acceptable')],
    ['404 of an installation without streams', refusal(404, 'route-not-found')],
  ])('is polled if the request for a stream is answered with %s', async (_, answer) => {
    server.behave(answer, page(1, 2), page(), page(3));
    expect(await take(3, { pollIntervalMs: 5 })).toEqual([1, 2, 3]);
    expect(asked().slice(1)).toEqual(['after=0&limit=200 -', 'after=2&limit=200 -', 'after=2&limit=200 -']);
  });

  it('throws 404 when the installation has no event log at all', async () => {
    server.behave(refusal(404, 'route-not-found'));
    await expect(take(1)).rejects.toMatchObject({ code: 'route-not-found' });
    expect(server.arrived.map(({ url }) => url.split('?')[0])).toEqual([
      '/api/v1/accounts/acc/events/stream',
      '/api/v1/accounts/acc/events',
    ]);
  });

  it('is polled from the start if the caller prefers it, and continues after temporary errors', async () => {
    server.behave(page(1), refusal(503, 'service-unavailable'), cut, page(2));
    expect(await take(2, { transport: 'poll', pollIntervalMs: 5 })).toEqual([1, 2]);
  });

  it('ends at the newest event for a caller that does not follow it', async () => {
    server.behave(listed(true, 1, 2), page(3), page());
    expect(await take(9, { follow: false })).toEqual([1, 2, 3]);
    // It also ends if there is always a newer event by the next request.
    server.behave(listed(true, 1, 2), page(3), page(4), page(5));
    expect(await take(4, { follow: false })).toEqual([1, 2, 3]);
  });

  it('begins with the oldest event that is kept, also as a list, if no position is given', async () => {
    const expired = refusal(410, 'cursor-expired');
    server.behave(expired, page(7, 8), stream(write(sse(7))));
    expect(await take(1)).toEqual([7]);
    expect(asked()).toEqual(['after=0 -', 'limit=200 -', 'after=6 6']);
    server.behave(expired, page(7, 8), page(7, 8), page());
    expect(await take(9, { follow: false })).toEqual([7, 8]);
  });

  it('is asked only for its newest position for `latest`, and may be empty', async () => {
    for (const newest of [7, 0]) {
      server.behave(json({ events: [], 'next-after': newest, more: false }), stream(write(sse(newest + 1))));
      expect(await take(1, { after: 'latest' })).toEqual([newest + 1]);
      expect(asked()).toEqual(['start=latest&limit=200 -', `after=${newest} ${newest || '-'}`]);
    }
  });

  it('is read to its end for `latest` if the installation answers with the oldest events', async () => {
    server.behave(page(1, 2), page(7), json({ events: [], 'next-after': 7, more: false }), stream(write(sse(8))));
    expect(await take(1, { after: 'latest' })).toEqual([8]);
    expect(asked().at(-1)).toBe('after=7 7');
  });
});
