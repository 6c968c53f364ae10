import 'reflect-metadata';
import { ListOrders } from '@ponte/contracts';
import { wholeDocument } from '../testing/gateway-under-test';
import type { RouteCase } from '../testing/route-case';
import { ROUTES } from '../testing/routes';
import { STREAMS } from '../testing/webhook-routes';
import { requestOf } from '../testing/route-case';
import { CHILD, PARTNER, UNKNOWN } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { codeOf } from '../testing/use-gateway';
import { SAMPLE } from './samples';
import { lastRequest, credentialsFor, gateway, get, useTestGateway } from '../testing/route-requests';

useTestGateway();

describe('a filter sent twice', () => {
  interface Parameter {
    readonly name: string;
    readonly in: string;
    readonly schema: {
      readonly type?: string;
      readonly enum?: readonly string[];
      readonly format?: string;
      readonly example?: string;
    };
  }
  interface Listed {
    readonly operationId: string;
    readonly parameters?: readonly Parameter[];
    readonly responses: Record<string, { content: { 'application/json': { examples: object } } }>;
  }
  const VALUES: Readonly<Record<string, string>> = { uuid: SAMPLE.quoteId, 'date-time': SAMPLE.time };

  it('is refused with a documented 400 that names the filter, for every operation with a query', async () => {
    const { paths } = (await wholeDocument<unknown>(gateway)) as {
      paths: Record<string, Record<string, Listed>>;
    };
    const listed = Object.values(paths).flatMap((item) => Object.values(item));
    let tried = 0;
    for (const { operationId, parameters = [], responses } of listed) {
      for (const { name, schema } of parameters.filter((one) => one.in === 'query' && one.schema.type !== 'array')) {
        const route = [...ROUTES, ...STREAMS].find(({ id }) => id === operationId) as RouteCase;
        const value = encodeURIComponent(schema.enum?.[0] ?? VALUES[schema.format ?? ''] ?? '1');
        const answer = await gateway.app.inject({
          url: `${route.url(CHILD)}?${name}=${value}&${name}=${value}`,
          headers: credentialsFor(route, KEY.partner),
        });
        const { error } = answer.json() as { error: { code: string; details: { path: string; message: string }[] } };
        const details = [{ path: name, message: `\`${name}\` must have one value, but was sent 2 times.` }];
        expect([operationId, answer.statusCode, error.details]).toMatchObject([operationId, 400, details]);
        expect(Object.keys(responses['400']?.content['application/json'].examples ?? {})).toContain(error.code);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(20);
    const different = await get(`/api/v1/accounts/${CHILD}/orders?state=created&state=completed&state=created`);
    expect((different.json() as { error: object }).error).toMatchObject({
      code: 'invalid-type',
      details: [{ path: 'state', message: '`state` must have one value, but was sent 3 times.' }],
    });
  });
});

describe('an idempotency key is bound to the resource of the path', () => {
  interface Named {
    readonly route: RouteCase;
    readonly other: string;
  }
  const OTHER: Readonly<Record<string, string>> = { [PARTNER]: CHILD, [SAMPLE.keyId]: `ak_test_${'c'.repeat(24)}` };
  const named: Named[] = [];

  beforeAll(async () => {
    const { paths } = (await wholeDocument<unknown>(gateway)) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    for (const [path, operations] of Object.entries(paths)) {
      const parts = path.split('/');
      const at = parts.findLastIndex((part) => /^\{(?!account-id\})/.test(part));
      for (const [method, { operationId }] of Object.entries(operations)) {
        const route = ROUTES.find(({ id }) => id === operationId);
        if (at === -1 || (method !== 'post' && method !== 'patch') || !route) continue;
        const url = route.url(CHILD).split('/');
        url[at] = OTHER[url[at] ?? ''] ?? UNKNOWN;
        named.push({ route, other: url.join('/') });
      }
    }
    expect(named.map(({ route }) => route.id)).toEqual(
      expect.arrayContaining([
        'ping-webhook-endpoint',
        'staff-change-capabilities',
        'staff-create-api-key',
        'staff-revoke-api-key',
      ]),
    );
  });

  it('so the same key and body on another resource get 422 idempotency-key-reused and do nothing', async () => {
    for (const { route, other } of named) {
      const headers = { ...credentialsFor(route, KEY.partner), 'idempotency-key': 'same' };
      const request = requestOf(route, CHILD, headers);
      expect([route.id, (await gateway.app.inject(request)).statusCode]).toEqual([route.id, route.status]);
      const before = gateway.bus.requests.length;
      expect([route.id, codeOf(await gateway.app.inject({ ...request, url: other }))]).toEqual([
        route.id,
        '422 idempotency-key-reused',
      ]);
      expect((await gateway.app.inject(request)).headers['idempotency-replayed']).toBe('true');
      expect(
        gateway.bus.requests.slice(before).filter(({ pattern }) => !pattern.startsWith('onboarding.query')),
      ).toEqual([]);
    }
  });

  it('so the same key on another resource is another command, even after the first key has expired', async () => {
    // The route by asset exists for BRL only, so another asset reaches no service.
    for (const { route, other } of named.filter(({ route: { id } }) => id !== 'create-asset-withdrawal-v0')) {
      const request = requestOf(route, CHILD, { ...credentialsFor(route, KEY.partner), 'idempotency-key': 'late' });
      await gateway.app.inject(request);
      const first = gateway.bus.requests.at(-1);
      gateway.clock.offset += 25 * 3_600_000;
      await gateway.app.inject({ ...request, url: other });
      const second = gateway.bus.requests.at(-1);
      expect([route.id, second?.pattern]).toEqual([route.id, first?.pattern]);
      expect(second?.context.commandId).not.toBe(first?.context.commandId);
    }
    gateway.clock.offset = 0;
  });
});

describe('lists', () => {
  it('continue with a cursor in the headers, which is bound to the list, the account and the filters', async () => {
    const first = await get(`/api/v1/accounts/${CHILD}/orders?limit=2&state=created&unknown=1`);
    const cursor = String(first.headers['x-next-cursor']);
    expect(first.headers['link']).toBe(
      `</api/v1/accounts/${CHILD}/orders?limit=2&state=created&unknown=1&cursor=${cursor}>; rel="next"`,
    );
    const next = await get(`/api/v1/accounts/${CHILD}/orders?limit=1&state=created&cursor=${cursor}`);
    expect([next.statusCode, next.headers['x-next-cursor']]).toEqual([200, undefined]);
    expect(lastRequest(ListOrders)?.payload).toMatchObject({
      accountId: CHILD,
      filters: { state: 'created' },
      page: { limit: 1, cursor: { createdAt: SAMPLE.time, id: SAMPLE.orderId } },
    });
    const [place, mac] = cursor.split('.');
    const forged = Buffer.from(JSON.stringify(['2030-01-01T00:00:00.000Z', SAMPLE.orderId])).toString('base64url');
    for (const url of [
      `/api/v1/accounts/${CHILD}/orders?cursor=${cursor}`,
      `/api/v1/accounts/${PARTNER}/orders?state=created&cursor=${cursor}`,
      `/api/v0/orders?state=created&cursor=${cursor}`,
      `/api/v1/accounts/${CHILD}/webhook-endpoints?cursor=${cursor}`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=${forged}.${mac}`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=${place}`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=${'x'.repeat(9000)}`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=${cursor}&cursor=${cursor}`,
    ])
      expect(codeOf(await get(url))).toBe('400 invalid-cursor');
  });

  it('continue with the same filters after a parameter that contains a question mark', async () => {
    const { headers } = await get(`/api/v1/accounts/${CHILD}/orders?note=why?&state=created&limit=2`);
    const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(String(headers['link'])) ?? [];
    expect(url).toContain('?note=why%3F&state=created&limit=2&cursor=');
    expect((await get(url)).statusCode).toBe(200);
  });

  it('read to the last moment that a time can name, at any offset', async () => {
    await get('/api/v0/orders?created-to=9999-12-31T23:59:59-03:00');
    expect(lastRequest(ListOrders)?.payload).toMatchObject({ page: { createdTo: '9999-12-31T23:59:59.999Z' } });
  });

  it.each(['0', '201', '-1', '1.5', '1e2', '', 'ten', '1&limit=2', '%31%30%30%30'])(
    'refuse limit=%s',
    async (limit) => {
      expect(codeOf(await get(`/api/v0/orders?limit=${limit}`))).toBe('400 invalid-limit');
    },
  );

  it('refuse invalid times, ids and enum values, and name the filter', async () => {
    const answer = await get(
      '/api/v0/orders?state=sleeping&created-from=yesterday&source-asset=doge&quote-id=x&state=created',
    );
    expect(
      (answer.json() as { error: { details: { path: string; code: string }[] } }).error.details.map(
        ({ path, code }) => `${path} ${code}`,
      ),
    ).toEqual([
      'state invalid-type',
      'quote-id invalid-format',
      'source-asset invalid-enum-value',
      'created-from invalid-format',
    ]);
    await get('/api/v0/orders?created-from=2026-01-31T09:00:00-03:00&limit=200');
    expect(lastRequest(ListOrders)?.payload).toMatchObject({
      page: { limit: 200, cursor: null, createdFrom: '2026-01-31T12:00:00.000Z', createdTo: null },
    });
  });
});
