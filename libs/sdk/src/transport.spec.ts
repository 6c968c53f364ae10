import { inspect } from 'node:util';
import { Ponte, PonteConfigurationError, RateLimitError } from './index';
import type { ResponseInfo } from './index';
import { cut, json, refusal } from './testing/scripted-server';
import { ACCOUNT, QUOTE, caught, clientUnderTest } from './testing/client-under-test';

const ok = json({ id: 'q1' });
const { server, client, keys } = clientUnderTest();

describe('a request of the SDK', () => {
  it("contains the caller's input and the key, with encoded parameters and repeated list values", async () => {
    server.behave(json({ wallets: [] }));
    await client().listWallets('a/b?c', { assets: ['eth-base/brlv', 'tempo/brlv'], limit: 2, cursor: undefined });
    expect(server.arrived[0]).toMatchObject({
      method: 'GET',
      url: '/api/v1/accounts/a%2Fb%3Fc/wallets?assets=eth-base%2Fbrlv&assets=tempo%2Fbrlv&limit=2',
      headers: { authorization: 'Bearer sk_test_secret' },
    });
    expect(keys()).toEqual([undefined]);
  });

  it('does not contain the key for an operation without authentication', async () => {
    server.behave(json({ errors: [] }));
    await client().listErrors();
    expect(server.arrived[0]?.headers.authorization).toBeUndefined();
  });

  it('is not sent if a path parameter is empty, "." or ".."', async () => {
    server.behave(ok);
    for (const id of ['', '.', '..'])
      expect(await caught(client().getAccount(id))).toBeInstanceOf(PonteConfigurationError);
    expect(server.arrived).toEqual([]);
  });

  it('reports its response: status, request id, replay and attempts', async () => {
    const infos: ResponseInfo[] = [];
    server.behave(refusal(503, 'service-unavailable'), json({ id: 'q1' }, 200, { 'idempotency-replayed': 'true' }));
    await client().createQuote(ACCOUNT, QUOTE, { onResponse: (info) => infos.push(info) });
    expect(infos).toMatchObject([{ status: 200, requestId: 'request-1', replayed: true, attempts: 2 }]);
  });

  it('never follows a redirect, which would send the key elsewhere', async () => {
    server.behave(json({}, 302, { location: 'http://127.0.0.1:1/' }));
    expect(await caught(client({ maxRetries: 0 }).getAccount(ACCOUNT))).toMatchObject({
      code: 'unreadable-response',
      status: 302,
    });
  });
});

describe('retries of the SDK', () => {
  it.each([
    ['408', refusal(408, 'request-timeout')],
    ['429', refusal(429, 'rate-limited')],
    ['500', refusal(500, 'internal-error')],
    ['502 of a proxy', json('bad gateway', 502)],
    ['503', refusal(503, 'service-unavailable')],
    ['504 of a proxy', json('timeout', 504)],
    ['idempotency-in-progress', refusal(409, 'idempotency-in-progress')],
    ['a cut connection', cut],
  ])('repeat a write after %s, under the same idempotency key', async (_, first) => {
    server.behave(first, ok);
    expect(await client().createQuote(ACCOUNT, QUOTE)).toEqual({ id: 'q1' });
    const [one, two] = keys();
    expect(server.arrived).toHaveLength(2);
    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    expect(two).toBe(one);
  });

  it('use a new idempotency key for each call, unless the caller supplies one', async () => {
    server.behave(ok);
    await client().createQuote(ACCOUNT, QUOTE);
    await client().createQuote(ACCOUNT, QUOTE);
    await client().createQuote(ACCOUNT, QUOTE, { idempotencyKey: 'payout-1' });
    expect(new Set(keys()).size).toBe(3);
    expect(keys()[2]).toBe('payout-1');
  });

  it('wait at least as long as Retry-After, given in seconds or as a date', async () => {
    server.behave(refusal(429, 'rate-limited', { 'retry-after': '1' }), ok);
    await client().createQuote(ACCOUNT, QUOTE);
    const [first, second] = server.arrived;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(950);
    const date = new Date(Date.now() + 2_000).toUTCString();
    server.behave(refusal(503, 'service-unavailable', { 'retry-after': date }), ok);
    await client().createQuote(ACCOUNT, QUOTE);
    expect(server.arrived[1]?.at).toBeGreaterThanOrEqual(Date.parse(date) - 50);
  });

  it('end at once if Retry-After is longer than the caller allows', async () => {
    server.behave(refusal(429, 'rate-limited', { 'retry-after': '3600' }));
    expect(await caught(client().getAccount(ACCOUNT))).toMatchObject({ code: 'rate-limited', retryAfterMs: 3_600_000 });
    expect(server.arrived).toHaveLength(1);
  });

  it('end after maxRetries with the last error', async () => {
    server.behave(refusal(429, 'rate-limited'));
    const error = await caught(client({ maxRetries: 2 }).getAccount(ACCOUNT));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(server.arrived).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 410, 422, 501])(
    'are not made after %i, because the response would not change',
    async (status) => {
      server.behave(refusal(status, 'some-code'));
      expect(await caught(client().createQuote(ACCOUNT, QUOTE))).toMatchObject({ status, code: 'some-code' });
      expect(server.arrived).toHaveLength(1);
    },
  );
});

describe('a 429 after too many failed authentications', () => {
  it('is final if the key was checked and is wrong, because it will not become right', async () => {
    server.behave(refusal(429, 'too-many-failed-authentications', { 'retry-after': '0' }), ok);
    const error = await caught(client().createQuote(ACCOUNT, QUOTE));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: 'too-many-failed-authentications', retryAfterMs: 0 });
    expect(server.arrived).toHaveLength(1);
  });

  it('is repeated if the key was not checked, because it may be right', async () => {
    server.behave(refusal(429, 'rate-limited', { 'retry-after': '0' }), ok);
    expect(await client().createQuote(ACCOUNT, QUOTE)).toEqual({ id: 'q1' });
    expect(server.arrived).toHaveLength(2);
  });
});

describe('a client', () => {
  it('cannot be created with a URL that is invalid or would send keys unencrypted', () => {
    for (const baseUrl of ['http://api.example.com', 'ftp://api.example.com', 'api.example.com', '']) {
      expect(() => new Ponte({ baseUrl, apiKey: 'k' })).toThrow(PonteConfigurationError);
    }
    for (const baseUrl of ['https://api.example.com', 'http://localhost:3000', 'http://[::1]:3000']) {
      expect(() => new Ponte({ baseUrl, apiKey: 'k' })).not.toThrow();
    }
    expect(() => new Ponte({ baseUrl: 'http://gateway:3000', apiKey: 'k', allowInsecureHttp: true })).not.toThrow();
  });

  it('shows no key when it is printed or converted to JSON', () => {
    const ponte = client();
    expect(`${inspect(ponte, { depth: 10, showHidden: true })}${JSON.stringify(ponte)}`).not.toContain(
      'sk_test_secret',
    );
  });
});
