import 'reflect-metadata';
import { SignJWT } from 'jose';
import { GetAccountParent } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { JWT_KEY_ID, KEY, jwtKeys } from '../testing/api-keys';
import { PARTNER, STRANGER } from '../testing/accounts';
import { codeOf } from '../testing/use-gateway';
import { SAMPLE } from '../api/samples';
import { ORDERS, QUOTE, QUOTES, errorOf, gateway, post, send, useTestGateway } from './testing/edge-requests';

useTestGateway();

describe('A response', () => {
  it('to a key has RateLimit headers, and is 429 with Retry-After when the bucket is empty', async () => {
    const slow = { authorization: `Bearer ${KEY.slow}` };
    const answers = [
      await send('GET', '/api/v0/orders', undefined, slow),
      await send('GET', '/api/v0/orders/x', undefined, slow),
      await send('GET', '/api/v0/orders', undefined, slow),
      await send('GET', '/api/v0/orders', undefined, slow),
    ];
    expect(answers.map(codeOf)).toEqual(['200', '404 order-not-found', '200', '429 rate-limited']);
    expect(answers.map(({ headers }) => `${headers['ratelimit-limit']}/${headers['ratelimit-remaining']}`)).toEqual([
      '3/2',
      '3/1',
      '3/0',
      '3/0',
    ]);
    expect([answers[3]?.headers['retry-after'], Number(answers[3]?.headers['ratelimit-reset'])]).toEqual(['1', 3]);
    expect((await send('GET', '/api/v0/orders')).headers).toMatchObject({ 'ratelimit-limit': '10000' });
  });

  it('has RateLimit headers on errors from every step of the gateway too, once the key is known', async () => {
    const answers = [
      await send('POST', QUOTES, '{'),
      await send('POST', QUOTES, '{}', { 'content-type': 'text/plain' }),
      await send('POST', QUOTES, `"${'x'.repeat(65_536)}"`),
      await post(QUOTES, {}),
      await post(QUOTES, QUOTE, { authorization: `Bearer ${KEY.readOnly}` }),
      await post(`/api/v1/accounts/${STRANGER}/quotes`, QUOTE),
      await post(QUOTES, QUOTE, { 'idempotency-key': '' }),
    ];
    expect(answers.map(codeOf)).toEqual([
      '400 malformed-json',
      '415 unsupported-media-type',
      '413 body-too-large',
      '400 missing-field',
      '403 api-key-read-only',
      '403 account-access-denied',
      '400 invalid-format',
    ]);
    for (const { headers } of answers)
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']),
      );
  });

  it('with 401 states which credentials are accepted and what is wrong with those that were sent', async () => {
    const ask = async (url: string, authorization: string) => {
      const answer = await send('GET', url, undefined, { authorization });
      return [codeOf(answer), answer.headers['www-authenticate'], errorOf(answer).message];
    };
    expect(await ask(ORDERS, 'none')).toEqual([
      '401 missing-credentials',
      'Bearer',
      expect.stringContaining('X-API-Key'),
    ]);
    expect(await ask(ORDERS, `Bearer ${KEY.revoked}`)).toEqual([
      '401 revoked-api-key',
      'Bearer',
      'The API key has been revoked.',
    ]);
    expect(await ask('/staff/accounts', `Bearer ${KEY.partner}`)).toEqual([
      '401 missing-credentials',
      'Staff',
      expect.not.stringContaining('API'),
    ]);
    expect(await ask('/staff/accounts', 'Staff unknown')).toEqual([
      '401 invalid-staff-token',
      'Staff',
      expect.not.stringContaining('API'),
    ]);
    const future = await new SignJWT({
      sub: JWT_KEY_ID,
      nonce: 'future',
      uri: ORDERS,
      iat: Math.floor(Date.now() / 1000) + 60,
      exp: Math.floor(Date.now() / 1000) + 90,
    })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(jwtKeys.privateKey);
    const early = await send('GET', ORDERS, undefined, { authorization: `Bearer ${future}`, 'x-api-key': JWT_KEY_ID });
    expect([codeOf(early), errorOf(early).message]).toEqual([
      '401 token-expired',
      expect.stringContaining('is in the future'),
    ]);
  });

  it('names Deprecation, Sunset and the successor in v0, errors included, and never in v1', async () => {
    const list = await send('GET', '/api/v0/assets/brl/balance');
    expect(list.headers).toMatchObject({
      deprecation: '@1735689600',
      sunset: 'Fri, 31 Dec 2027 00:00:00 GMT',
      link: `</api/v1/accounts/${PARTNER}/assets/brl/balance>; rel="successor-version"`,
    });
    const refused = await gateway.app.inject({ url: `/api/v0/orders/${SAMPLE.orderId}` });
    expect(refused.headers).toMatchObject({
      deprecation: '@1735689600',
      link: '</api/v1/accounts>; rel="successor-version"',
    });
    expect((await send('GET', '/api/v0/nothing')).headers['deprecation']).toBe('@1735689600');
    expect((await send('GET', ORDERS)).headers).not.toHaveProperty('deprecation');
  });

  it('has its request id and must not be cached', async () => {
    for (const url of [ORDERS, '/nothing', '/healthz', '/api/v1/errors']) {
      const { headers } = await send('GET', url);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string,
      });
    }
  });
});

describe('while a service is unavailable, the gateway', () => {
  it('is not ready, accepts no requests and returns when to retry', async () => {
    expect((await gateway.app.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' });
    const account = '0190f8a0-0000-7000-8000-00000000abcd';
    gateway.bus.on(GetAccountParent, () => {
      throw new Unavailable('service-unavailable');
    });
    expect(codeOf(await send('GET', `/api/v1/accounts/${account}/orders`))).toBe('503 service-unavailable');
    expect((await gateway.app.inject({ url: '/healthz' })).statusCode).toBe(200);
  });
});
