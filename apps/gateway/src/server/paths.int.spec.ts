import 'reflect-metadata';
import type { LightMyRequestResponse } from 'fastify';
import { ListOrders, PlaceOrder } from '@ponte/contracts';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-under-test';
import { CHILD, STRANGER } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { SAMPLE } from '../api/samples';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

type Method = 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'OPTIONS' | 'HEAD';
const [QUOTES, ORDERS] = [`/api/v1/accounts/${CHILD}/quotes`, `/api/v1/accounts/${CHILD}/orders`];
const send = (method: Method, url: string, payload?: string, headers: Record<string, string> = {}) =>
  gateway.app.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${KEY.partner}`,
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  send('POST', url, JSON.stringify(body), headers);
const codeOf = (answer: LightMyRequestResponse) =>
  `${answer.statusCode} ${answer.statusCode >= 400 ? (answer.json() as { error: { code: string } }).error.code : ''}`.trim();

describe('paths', () => {
  it('without a route are a 404', async () => {
    expect(codeOf(await send('GET', '/nothing/here'))).toBe('404 route-not-found');
    expect(codeOf(await send('GET', `${ORDERS}/`))).toBe('404 route-not-found');
    expect(codeOf(await send('POST', `/api/v1/accounts/${CHILD}/nothing`, '{}'))).toBe('404 route-not-found');
    const answer = await send('DELETE', ORDERS);
    expect([codeOf(answer), answer.headers['allow']]).toEqual(['405 method-not-allowed', 'GET, HEAD, POST']);
    for (const method of ['PUT', 'PATCH', 'OPTIONS'] as const)
      expect(codeOf(await send(method, QUOTES))).toBe('405 method-not-allowed');
    expect(codeOf(await send('GET', '/api/v1/accounts//orders'))).toBe('404 route-not-found');
    expect(codeOf(await send('POST', '/api/v1/accounts//orders', '{}', { authorization: 'none' }))).toBe(
      '404 route-not-found',
    );
    expect(codeOf(await send('POST', `/api/v1/accounts/${CHILD}/webhook-endpoints//ping`, '{}'))).toBe(
      '404 route-not-found',
    );
    for (const url of ['/api/v1/accounts/', '/']) expect(codeOf(await send('GET', url))).toBe('404 route-not-found');
    expect(codeOf(await send('GET', `/api/v1/accounts/${'x'.repeat(9000)}/orders`))).toBe('403 account-access-denied');
  });

  it('a browser at the root is redirected to the documentation; a program gets a 404', async () => {
    const shown = await send('GET', '/', undefined, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([shown.statusCode, shown.headers.location]).toEqual([302, '/docs']);
    for (const accept of ['*/*', 'application/json'])
      expect(codeOf(await send('GET', '/', undefined, { accept }))).toBe('404 route-not-found');
  });

  it('with the full name of an asset are a 404 that lists the short names', async () => {
    for (const asset of ['fiat/brl', 'fiat%2Fbrl', 'eth-base/brlv', 'eur']) {
      const answer = await send('GET', `/api/v1/accounts/${CHILD}/assets/${asset}/balance`);
      expect([codeOf(answer), answer.json<{ error: { message: string } }>().error.message]).toEqual([
        '404 route-not-found',
        'The asset in a path is one of brl, brlv, brly, usd, usdc, usdt, wbrly, without its chain, as in /assets/brl/balance.',
      ]);
    }
    const other = await send('GET', `/api/v1/accounts/${CHILD}/assets/brl/nothing`);
    expect(other.json()).toMatchObject({ error: { message: 'The route does not exist.' } });
  });

  it('that cannot be decoded get the same checks, headers and errors as any other', async () => {
    const balance = await send('GET', '/api/v0/assets/brl/balance%ff');
    expect([codeOf(balance), balance.headers]).toMatchObject([
      '404 route-not-found',
      {
        deprecation: '@1735689600',
        link: expect.any(String) as string,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    ]);
    const denied = await send('GET', `/api/v1/accounts/${STRANGER}/orders`);
    for (const url of ['/api/v1/accounts/%ff', '/api/v1/accounts/%zz/orders', '/api/v1/accounts/%c3/orders?limit=%']) {
      const answer = await send('GET', url);
      expect([url, codeOf(answer), answer.body, 'ratelimit-limit' in answer.headers]).toEqual([
        url,
        '403 account-access-denied',
        denied.body,
        true,
      ]);
      expect(codeOf(await send('GET', url, undefined, { authorization: 'none' }))).toBe('401 missing-credentials');
    }
    expect(codeOf(await send('GET', `${ORDERS}/%e0%a4`))).toBe('404 order-not-found');
    expect(codeOf(await send('GET', `${ORDERS}/%`, undefined, { authorization: 'none' }))).toBe(
      '401 missing-credentials',
    );
    const staff = await send('GET', '/staff/v1/%ff');
    expect([staff.statusCode, staff.headers]).toMatchObject([404, { 'x-frame-options': 'DENY' }]);
  });

  it('with a fixed word instead of an id refuse other methods with 405 and Allow, without reading the body', async () => {
    for (const [method, path, allow] of [
      ['GET', 'files', 'POST'],
      ['DELETE', 'files', 'POST'],
      ['GET', 'reliance', 'POST'],
      ['GET', 'kyc/individual', 'POST'],
      ['PUT', `${CHILD}/orders`, 'GET, HEAD, POST'],
      ['POST', `${CHILD}/deposits/pix`, 'GET, HEAD'],
    ] as const) {
      const answer = await send(method, `/api/v1/accounts/${path}`, method === 'GET' ? undefined : '{');
      expect([path, codeOf(answer), answer.headers['allow']]).toEqual([path, '405 method-not-allowed', allow]);
    }
    expect((await gateway.app.inject({ method: 'HEAD', url: '/api/v1/accounts/files' })).statusCode).toBe(405);
    // `kyc` alone is not a route, so it is treated as an account id.
    expect(codeOf(await send('GET', '/api/v1/accounts/kyc'))).toBe('403 account-access-denied');
    expect(codeOf(await send('POST', '/nothing/here', '{'))).toBe('404 route-not-found');
  });

  it('accept ids in either case, return them in lower case, and treat both as the same command under one key', async () => {
    const [upper, headers] = [{ 'quote-id': SAMPLE.quoteId.toUpperCase() }, { 'idempotency-key': 'either-case' }];
    const first = await post(ORDERS.replace(CHILD, CHILD.toUpperCase()), upper, headers);
    expect([codeOf(first), (first.json() as { order: Record<string, unknown> }).order['quote-id']]).toEqual([
      '200',
      SAMPLE.quoteId,
    ]);
    expect(gateway.bus.requestsOf(PlaceOrder).at(-1)?.payload).toMatchObject({
      accountId: CHILD,
      quoteId: SAMPLE.quoteId,
    });
    const again = await post(ORDERS, { 'quote-id': SAMPLE.quoteId }, headers);
    expect([codeOf(again), again.headers['idempotency-replayed'], again.body]).toEqual(['200', 'true', first.body]);
    expect(codeOf(await send('GET', `${ORDERS}/${SAMPLE.orderId.toUpperCase()}`))).toBe('200');
    expect(codeOf(await send('GET', `${ORDERS}?quote-id=${SAMPLE.quoteId.toUpperCase()}`))).toBe('200');
    expect(gateway.bus.requestsOf(ListOrders).at(-1)?.payload).toMatchObject({ filters: { quoteId: SAMPLE.quoteId } });
    const v0 = await send('GET', `/api/v0/orders/${SAMPLE.orderId.toUpperCase()}`);
    expect([codeOf(v0), v0.headers['link']]).toEqual(['200', expect.stringContaining(`/orders/${SAMPLE.orderId}>`)]);
  });
});
