import 'reflect-metadata';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { EnvelopePublished, ListAccountEvents } from '@ponte/contracts';
import type { LoggedEvent } from '@ponte/contracts';
import { NO_STREAM, toAppend } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';
import { publishedEnvelope } from '../../testing/records/webhook-records';
import { CHILD, PARTNER, STRANGER } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import { STREAM_LIMITS } from './event-stream';
import { EventStreams, STREAMS_PER_KEY } from './event-streams.service';

/** A client that reads a stream, or opens it and does not read. */
class Client {
  text = '';
  status = 0;
  ended = false;
  headers: IncomingMessage['headers'] = {};
  response: IncomingMessage | undefined;
  private readonly sent: ReturnType<typeof request>;

  constructor(port: number, path: string, headers: Record<string, string> = {}, key = KEY.partner, reads = true) {
    this.sent = request({ port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${key}`, ...headers } });
    this.sent.on('response', (response) => {
      this.response = response;
      this.status = response.statusCode ?? 0;
      this.headers = response.headers;
      response.on('close', () => (this.ended = true));
      response.on('error', () => undefined);
      if (reads) response.on('data', (part: Buffer) => (this.text += part.toString()));
    });
    this.sent.on('error', () => (this.ended = true));
    this.sent.end();
  }

  /** The numbers of the events. */
  get ids(): number[] {
    return [...this.text.matchAll(/^id: (\d+)\nevent: /gm)].map(([, id]) => Number(id));
  }

  close(): void {
    this.sent.destroy();
  }
}

describe('the event stream', () => {
  let gateway: GatewayUnderTest;
  let log: LoggedEvent[] = [];
  let read = 0;
  let appended = NO_STREAM;
  const clients: Client[] = [];
  const url = (account = CHILD, query = '') => `/api/v1/accounts/${account}/events/stream${query}`;
  const open = (...[path, headers, key, reads]: [string, Record<string, string>?, string?, boolean?]): Client => {
    const client = new Client(gateway.port, path, headers, key, reads);
    clients.push(client);
    return client;
  };
  const fill = (count: number, payload: object = {}) => {
    for (let at = 0; at < count; at += 1) {
      log.push({ number: log.length + 1, envelope: publishedEnvelope({ payload: { ...payload } }) });
    }
  };
  /** Appends an event to the outbox of the account. */
  const wake = async () => {
    const fact = new EnvelopePublished({ first: 1, entries: [], sourcePosition: '1' });
    const context = { commandId: derivedId('wake', String(appended)), correlationId: 'c' };
    const events = toAppend([fact], [EnvelopePublished], context, new Date().toISOString());
    appended = (await gateway.engines.store.append(`outbox-${CHILD}`, appended, events)).revision;
  };

  beforeAll(async () => {
    gateway = await startGateway();
    gateway.bus.on(ListAccountEvents, ({ after, limit }) => {
      read += 1;
      if (after === 7_777) return { expired: true as const, firstKept: 8_000 };
      const from = after === 'end' ? log.length : (after ?? 0);
      const events = log.slice(from, from + limit);
      return { expired: false as const, events, next: from + events.length, more: from + events.length < log.length };
    });
  });
  beforeEach(() => {
    log = [];
    read = 0;
    gateway.app.get(EventStreams).limits = STREAM_LIMITS;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await eventually(async () => {
      const { body } = await gateway.app.inject({ url: '/healthz' });
      expect(body).toContain('ok');
      expect((gateway.app.get(EventStreams) as unknown as { openCount: number }).openCount).toBe(0);
    });
  });
  afterAll(() => gateway.stop());

  it('sends the stored events after a number, and then each new event shortly after it is appended', async () => {
    // No heartbeat reads the events either: a new one is sent because the stream is woken.
    gateway.app.get(EventStreams).limits = { ...STREAM_LIMITS, heartbeatMs: STREAM_LIMITS.longestMs };
    fill(250);
    const client = open(url(CHILD, '?after=10'));
    await eventually(() => expect(client.ids).toEqual(Array.from({ length: 240 }, (_, at) => at + 11)));
    expect(client.status).toBe(200);
    expect(client.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(client.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(client.text).toContain('event: order-processing\ndata: {"event-id":');
    fill(1);
    await wake();
    await eventually(() => expect(client.ids.at(-1)).toBe(251));
  });

  it('continues after Last-Event-ID, which takes precedence over the query', async () => {
    fill(5);
    const client = open(url(CHILD, '?after=1'), { 'last-event-id': '3' });
    await eventually(() => expect(client.ids).toEqual([4, 5]));
    const refused = open(url(), { 'last-event-id': 'x' });
    await eventually(() => expect(refused.status).toBe(400));
  });

  it('starts with the next new event when no position is given', async () => {
    fill(5);
    const client = open(url());
    await eventually(() => expect(client.status).toBe(200));
    fill(1);
    await wake();
    await eventually(() => expect(client.ids).toEqual([6]));
  });

  it('refuses a position older than the stored log with 410', async () => {
    const client = open(url(CHILD, '?after=7777'));
    await eventually(() =>
      expect([client.status, client.text]).toEqual([410, expect.stringContaining('cursor-expired')]),
    );
    expect(client.text).toContain('after=7999');
  });

  it('refuses an account out of reach with the same code whether it exists or not', async () => {
    for (const account of [STRANGER, derivedId('account', 'nowhere'), 'x']) {
      const client = open(url(account));
      await eventually(() =>
        expect([client.status, client.text]).toEqual([403, expect.stringContaining('account-access-denied')]),
      );
    }
    const foreign = open(url(CHILD), {}, KEY.stranger);
    await eventually(() => expect(foreign.status).toBe(403));
  });

  it('limits the open streams per key', async () => {
    const mine = Array.from({ length: STREAMS_PER_KEY }, () => open(url(PARTNER)));
    await eventually(() => expect(mine.map(({ status }) => status)).toEqual(mine.map(() => 200)));
    const oneMore = open(url(PARTNER));
    const refused = expect.stringMatching(new RegExp(`${STREAMS_PER_KEY} open event streams.*too-many-streams`));
    await eventually(() => expect([oneMore.status, oneMore.text]).toEqual([429, refused]));
    expect(oneMore.headers['retry-after']).toBe('10');
    const other = open(url(CHILD), {}, KEY.child);
    await eventually(() => expect(other.status).toBe(200));
    mine[0]?.close();
    await eventually(async () => {
      const again = open(url(PARTNER));
      await eventually(() => expect(again.status).not.toBe(0));
      expect(again.status).toBe(200);
    });
  });

  it('sends heartbeats while there are no events, and ends when the key is revoked', async () => {
    gateway.app.get(EventStreams).limits = { ...STREAM_LIMITS, heartbeatMs: 100 };
    const client = open(url(CHILD), {}, KEY.child);
    await eventually(() => expect(client.text.match(/: heartbeat/g)?.length ?? 0).toBeGreaterThan(2));
    const key = gateway.fixtures.keys.get(`ak_test_${KEY.child.slice(8, 32)}`);
    if (!key) throw new Error('no key');
    gateway.fixtures.keys.set(key.keyId, { ...key, revoked: true });
    await eventually(() => expect(client.ended).toBe(true), 15_000);
    gateway.fixtures.keys.set(key.keyId, key);
  });

  it('disconnects a client that does not read, and fetches no more for it than its limits allow', async () => {
    gateway.app.get(EventStreams).limits = { ...STREAM_LIMITS, stallMs: 500, waitingBytes: 64 * 1024 };
    fill(20_000, { filler: 'x'.repeat(2_000) });
    const client = open(url(CHILD, '?after=0'), {}, KEY.partner, false);
    await eventually(() => expect(client.status).toBe(200));
    const whole = log.length / 100;
    await eventually(
      () => expect((gateway.app.get(EventStreams) as unknown as { openCount: number }).openCount).toBe(0),
      15_000,
    );
    // Beyond the limit, only what fits into the kernel's buffers was fetched.
    expect(read).toBeLessThan(whole / 2);
  });

  it('ends after its maximum lifetime, so that the client reconnects', async () => {
    gateway.app.get(EventStreams).limits = { ...STREAM_LIMITS, heartbeatMs: 50, longestMs: 300 };
    const client = open(url());
    await eventually(() => expect(client.ended).toBe(true));
    expect(client.status).toBe(200);
  });
});
