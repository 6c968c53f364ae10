import 'reflect-metadata';
import { createHash, randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { SignJWT } from 'jose';
import { GetApiKey } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import type { GatewayUnderTest } from '../testing/gateway-under-test';
import { startGateway } from '../testing/gateway-under-test';
import { ROUTES } from '../testing/routes';
import { CHILD, PARTNER } from '../testing/accounts';
import { JWT_KEY_ID, jwtKeys, KEY } from '../testing/api-keys';
import { SAMPLE } from '../api/samples';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

type Json = Record<string, unknown>;
const QUOTES = `/api/v1/accounts/${CHILD}/quotes`;
const ORDERS = `/api/v1/accounts/${CHILD}/orders`;
const BODY = JSON.stringify({ 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' });

const errorOf = (answer: LightMyRequestResponse) =>
  (answer.json() as { error: { code: string; message: string } }).error;
const codeOf = (answer: LightMyRequestResponse) =>
  answer.statusCode < 400 ? String(answer.statusCode) : `${answer.statusCode} ${errorOf(answer).code}`;
const hashOf = (body: string) => createHash('sha256').update(body).digest('hex');
const tokenFor = (claims: Json) => {
  const iat = Math.floor(Date.now() / 1000);
  return new SignJWT({ sub: JWT_KEY_ID, nonce: randomUUID(), iat, exp: iat + 30, ...claims })
    .setProtectedHeader({ alg: 'ES256' })
    .sign(jwtKeys.privateKey);
};

describe('a signed request', () => {
  it('must have a body-hash whenever there is a body, whatever the method', async () => {
    const headers = async (claims: Json) => ({
      authorization: `Bearer ${await tokenFor(claims)}`,
      'x-api-key': JWT_KEY_ID,
      'content-type': 'application/json',
    });
    const url = `/api/v1/accounts/${CHILD}/webhook-endpoints/${SAMPLE.endpointId}`;
    const sent = async (method: 'GET' | 'DELETE' | 'POST', path: string, payload: string | undefined, claims: Json) =>
      gateway.app.inject({
        method,
        url: path,
        headers: await headers({ uri: path, ...claims }),
        ...(payload === undefined ? {} : { payload }),
      });
    const missing = await sent('POST', QUOTES, BODY, {});
    expect([codeOf(missing), errorOf(missing).message]).toEqual([
      '401 body-hash-mismatch',
      expect.stringContaining('needs the claim body-hash'),
    ]);
    expect(codeOf(await sent('POST', QUOTES, BODY, { 'body-hash': null }))).toBe('401 body-hash-mismatch');
    expect(codeOf(await sent('DELETE', url, '{}', {}))).toBe('401 body-hash-mismatch');
    expect(codeOf(await sent('DELETE', url, '{}', { 'body-hash': hashOf('{}') }))).toBe('204');
    expect(codeOf(await sent('POST', `${url}/ping`, undefined, {}))).toBe('202');
    // The body of a GET is not read, so it cannot be compared with a hash in the token.
    for (const claims of [{}, { 'body-hash': hashOf('{}') }, { 'body-hash': hashOf('') }])
      expect(codeOf(await sent('GET', ORDERS, '{}', claims))).toBe('401 body-hash-mismatch');
  });
});

describe('a v0 401', () => {
  it('links to a successor that is a URL, without a placeholder', async () => {
    for (const { id, url, method } of ROUTES.filter((one) => one.url('').startsWith('/api/v0/'))) {
      const { statusCode, headers } = await gateway.app.inject({ method, url: url(PARTNER) });
      expect([id, statusCode, headers['link']]).toEqual([
        id,
        401,
        expect.stringMatching(/^<\/api\/v1\/accounts>; rel="successor-version"$/),
      ]);
    }
  });
});

describe('RateLimit headers', () => {
  const limits = ({ headers }: LightMyRequestResponse) =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers[name]);
  const KNOWN = { authorization: `Bearer ${KEY.slow}` };
  const STOLEN = { authorization: `Bearer ${KEY.slow.slice(0, -1)}x` };

  it.each<[string, string, object, Record<string, string>, string]>([
    ['a wrong secret of a known key', ORDERS, {}, STOLEN, '401 unknown-api-key'],
    [
      'a wrong signature of a known key',
      ORDERS,
      {},
      { authorization: 'Bearer a.b.c', 'x-api-key': JWT_KEY_ID },
      '401 invalid-signature',
    ],
    ['a revoked key', ORDERS, {}, { authorization: `Bearer ${KEY.revoked}` }, '401 revoked-api-key'],
    [
      'an address that the key does not allow',
      ORDERS,
      {},
      { authorization: `Bearer ${KEY.elsewhere}` },
      '403 ip-not-allowed',
    ],
    ['a media type that is not available', ORDERS, {}, { ...KNOWN, accept: 'text/html' }, '406 not-acceptable'],
    [
      'an encoded body',
      QUOTES,
      { method: 'POST' },
      { ...KNOWN, 'content-encoding': 'gzip' },
      '415 unsupported-media-type',
    ],
    ['a missing route', '/api/v1/nothing', {}, KNOWN, '404 route-not-found'],
    ['another method', QUOTES, { method: 'PUT' }, KNOWN, '405 method-not-allowed'],
    ['a public operation', '/api/v1/errors', {}, KNOWN, '200'],
  ])('are on the response to %s, which takes no token from the bucket', async (_, url, request, headers, code) => {
    const [first, second] = [
      await gateway.app.inject({ url, ...request, headers }),
      await gateway.app.inject({ url, ...request, headers }),
    ];
    expect(codeOf(first)).toBe(code);
    expect(limits(first)).toEqual([expect.stringMatching(/^[1-9]\d*$/), expect.stringMatching(/^[1-9]\d*$/), '0']);
    expect(limits(second)).toEqual(limits(first));
  });

  it('are not on the response to a request without a known key', async () => {
    const unknown = { authorization: `Bearer sk_test_${'z'.repeat(24)}_${'z'.repeat(43)}` };
    for (const headers of [
      {},
      unknown,
      { 'x-api-key': 'nonsense' },
      { authorization: `Staff ${gateway.staffToken}` },
    ]) {
      expect(limits(await gateway.app.inject({ url: ORDERS, headers }))).toEqual([undefined, undefined, undefined]);
    }
  });

  it('are left out while keys cannot be looked up, but the response stays the same', async () => {
    const answer = (url: string) =>
      gateway.app.inject({ url, headers: { authorization: `Bearer sk_test_${'y'.repeat(24)}_${'y'.repeat(43)}` } });
    gateway.bus.on(GetApiKey, () => {
      throw new Unavailable('service-unavailable');
    });
    const response = await answer('/api/v1/nothing');
    gateway.bus.on(GetApiKey, ({ keyId }) => gateway.fixtures.keys.get(keyId) ?? null);
    expect([codeOf(response), limits(response)]).toEqual(['404 route-not-found', [undefined, undefined, undefined]]);
  });
});
