import { parseJsonPath } from './json-path';
import type { Behaviour } from '../testing/feed-under-test';
import { FeedUnderTest, NOON, rated, says, usd } from '../testing/feed-under-test';

describe('the HTTP feed, against a server that misbehaves', () => {
  let server: FeedUnderTest;
  const running = new AbortController();

  beforeAll(async () => {
    server = await FeedUnderTest.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    server.now = NOON;
  });

  it.each([
    ['a text', '5.34129999999', '5.3412999999'],
    ['a number', 5.3412, '5.3412000000'],
    ['a number with an exponent', '0.53412e1', '5.3412000000'],
    ['an integer', 5, '5.0000000000'],
  ])('reads %s exactly, floored to ten decimals', async (_, value, expected) => {
    const source = server.feed({ headers: { authorization: 'Bearer k' } });
    server.behave = rated(value);
    await source.poll(running.signal);
    expect(source.latest()?.rate.toString()).toBe(expected);
    expect(source.latest()?.observedAt).toBe(NOON);
    expect(server.seenHeaders['authorization']).toBe('Bearer k');
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
        response.writeHead(302, { location: server.url });
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
    const source = server.feed({ timeoutMs: 150 });
    server.behave = misbehaviour;
    await expect(source.poll(running.signal)).rejects.toThrow();
    expect(source.latest()).toBeUndefined();
    const patient = server.feed();
    server.behave = rated('5.34');
    await patient.poll(running.signal);
    server.now = NOON + 60_000;
    server.behave = misbehaviour;
    const ending = new AbortController();
    const polled = patient.poll(ending.signal);
    if (['no response at all', 'a body that stops coming'].includes(name)) ending.abort();
    await expect(polled).rejects.toThrow();
    expect(patient.latest()).toEqual({ rate: usd('5.34'), observedAt: NOON });
  });

  it('reads the time of the rate as text, seconds or milliseconds, and limits it to now', async () => {
    const timed = async (time: unknown) => {
      const source = server.feed({ timePath: parseJsonPath('at') });
      server.behave = rated('5.34', time);
      await source.poll(running.signal);
      return source.latest()?.observedAt;
    };
    expect(await timed('2026-05-13T10:59:58-03:00')).toBe(NOON - 2000);
    expect(await timed(NOON / 1000 - 3)).toBe(NOON - 3000);
    expect(await timed(NOON - 4000)).toBe(NOON - 4000);
    expect(await timed('2030-01-01T00:00:00Z')).toBe(NOON);
    // A date alone, and a local time as the central bank gives it.
    const vague = ['2026-05-13', '2026-05-13 13:06:37.459'];
    for (const wrong of [...vague, 'yesterday', -5, null, undefined, {}])
      await expect(timed(wrong)).rejects.toThrow('no time');
  });

  it('ages while a feed repeats one answer whose clock runs ahead', async () => {
    const source = server.feed({ timePath: parseJsonPath('at') });
    for (let minutes = 0; minutes <= 11; minutes += 1) {
      server.now = NOON + minutes * 60_000;
      server.behave = rated('5.34', NOON + 3 * 3_600_000);
      await source.poll(running.signal);
    }
    expect(source.latest()).toEqual({ rate: usd('5.34'), observedAt: NOON });
    server.behave = rated('5.35', NOON + 3 * 3_600_000 + 1);
    await source.poll(running.signal);
    expect(source.latest()).toEqual({ rate: usd('5.35'), observedAt: NOON + 11 * 60_000 });
  });

  it('does not replace a newer rate by an older one', async () => {
    const source = server.feed({ timePath: parseJsonPath('at') });
    server.behave = rated('5.34', NOON - 1000);
    await source.poll(running.signal);
    server.behave = rated('5.99', NOON - 2000);
    await source.poll(running.signal);
    expect(source.latest()).toEqual({ rate: usd('5.34'), observedAt: NOON - 1000 });
  });

  it('replaces a rate that was read while the clock was ahead', async () => {
    const source = server.feed();
    server.now = NOON + 3_600_000;
    server.behave = rated('5.34');
    await source.poll(running.signal);
    server.now = NOON;
    server.behave = rated('5.99');
    await source.poll(running.signal);
    expect(source.latest()).toEqual({ rate: usd('5.99'), observedAt: NOON });
  });
});
