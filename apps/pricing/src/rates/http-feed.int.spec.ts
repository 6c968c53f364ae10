import type { AddressInfo } from 'node:net';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { Agent } from 'undici';
import { Rate } from '@ponte/kernel';
import type { HttpFeedOptions } from './http-feed.adapter';
import { HttpFeed } from './http-feed.adapter';
import { parseJsonPath } from './json-path';

const usd = (text: string) => Rate.parse('USD', 'BRL', text);
const NOON = Date.UTC(2026, 4, 13, 14);

describe('the HTTP feed, against a server that misbehaves', () => {
  type Behaviour = (response: ServerResponse) => void;
  let server: Server;
  let behave: Behaviour;
  let seenHeaders: Record<string, unknown> = {};
  let now = NOON;
  const agent = new Agent();
  const running = new AbortController();

  beforeAll(async () => {
    server = createServer((request, response) => {
      seenHeaders = request.headers;
      behave(response);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    await agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  beforeEach(() => {
    now = NOON;
  });

  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest?key=secret`;
  const feed = (more: Partial<HttpFeedOptions> = {}) =>
    new HttpFeed({
      url: url(),
      path: parseJsonPath('data[0].rate'),
      base: 'USD',
      quote: 'BRL',
      timeoutMs: 2000,
      plausible: { least: usd('1'), most: usd('100') },
      now: () => now,
      dispatcher: agent,
      ...more,
    });
  const says =
    (body: unknown): Behaviour =>
    (response) =>
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
  const rated = (value: unknown, time?: unknown) => says({ data: [{ rate: value }], at: time });

  it.each([
    ['a text', '5.34129999999', '5.3412999999'],
    ['a number', 5.3412, '5.3412000000'],
    ['a number with an exponent', '0.53412e1', '5.3412000000'],
    ['an integer', 5, '5.0000000000'],
  ])('reads %s exactly, floored to ten decimals', async (_, value, expected) => {
    const source = feed({ headers: { authorization: 'Bearer k' } });
    behave = rated(value);
    await source.poll(running.signal);
    expect(source.latest()?.rate.toString()).toBe(expected);
    expect(source.latest()?.observedAt).toBe(NOON);
    expect(seenHeaders['authorization']).toBe('Bearer k');
  });

  it.each<[string, Behaviour]>([
    [
      '500',
      (response) => {
        response.statusCode = 500;
        response.end('{"data":[{"rate":"9"}]}');
      },
    ],
    [
      'a redirect',
      (response) => {
        response.writeHead(302, { location: url() });
        response.end();
      },
    ],
    ['a body that is not JSON', says('<html>')],
    ['truncated JSON', says('{"data":[{"rate":"5.')],
    ['an empty body', says('')],
    ['no such member', says({ data: [] })],
    ['null', rated(null)],
    ['a flag', rated(true)],
    ['NaN', rated('NaN')],
    ['a sign', rated('-5.34')],
    ['a comma', rated('5,34')],
    ['zero', rated('0')],
    ['an infinity', says('{"data":[{"rate":1e400}]}')],
    ['an exponent that could exhaust memory', rated('1e999999999')],
    ['ten times too much', rated('534.12')],
    ['far too little', rated('0.5')],
    [
      'a body without end',
      (response) => {
        const more = () => {
          while (response.write('x'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ],
    [
      'a cut connection',
      (response) => {
        response.write('{');
        response.destroy();
      },
    ],
    ['no response at all', () => undefined],
    [
      'a body that stops coming',
      (response) => {
        response.write('{"data":');
      },
    ],
  ])('%s keeps the last good value with its time', async (name, misbehaviour) => {
    const source = feed({ timeoutMs: 150 });
    behave = misbehaviour;
    await expect(source.poll(running.signal)).rejects.toThrow();
    expect(source.latest()).toBeUndefined();
    const patient = feed();
    behave = rated('5.34');
    await patient.poll(running.signal);
    now = NOON + 60_000;
    behave = misbehaviour;
    const ending = new AbortController();
    const polled = patient.poll(ending.signal);
    if (['no response at all', 'a body that stops coming'].includes(name)) ending.abort();
    await expect(polled).rejects.toThrow();
    expect(patient.latest()).toEqual({ rate: usd('5.34'), observedAt: NOON });
  });

  it('reads the time of the rate as text, seconds or milliseconds, and limits it to now', async () => {
    const timed = async (time: unknown) => {
      const source = feed({ timePath: parseJsonPath('at') });
      behave = rated('5.34', time);
      await source.poll(running.signal);
      return source.latest()?.observedAt;
    };
    expect(await timed('2026-05-13T10:59:58-03:00')).toBe(NOON - 2000);
    expect(await timed(NOON / 1000 - 3)).toBe(NOON - 3000);
    expect(await timed(NOON - 4000)).toBe(NOON - 4000);
    expect(await timed('2030-01-01T00:00:00Z')).toBe(NOON);
    for (const wrong of ['yesterday', -5, null, undefined, {}]) await expect(timed(wrong)).rejects.toThrow('no time');
  });

  it('does not replace a newer rate by an older one', async () => {
    const source = feed({ timePath: parseJsonPath('at') });
    behave = rated('5.34', NOON - 1000);
    await source.poll(running.signal);
    behave = rated('5.99', NOON - 2000);
    await source.poll(running.signal);
    expect(source.latest()).toEqual({ rate: usd('5.34'), observedAt: NOON - 1000 });
  });
});
