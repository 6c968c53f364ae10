import 'reflect-metadata';
import { GetBalance, RequestQuote } from '@ponte/contracts';
import { wholeDocument } from '../testing/gateway-under-test';
import type { RouteCase } from '../testing/route-case';
import { ROUTES } from '../testing/routes';
import { STREAMS } from '../testing/webhook-routes';
import { CHILD, PARTNER, STRANGER, STRANGERS_CHILD, UNKNOWN } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { violationsOf } from '../validation/violations';
import { codeOf } from '../testing/use-gateway';
import { as, lastRequest, credentialsFor, gateway, get, send, useTestGateway } from '../testing/route-requests';

useTestGateway();

/** Look-ups of the gateway itself: an account, and a key that has left the cache after five seconds. */
const LOOK_UPS = /^onboarding\.query\.get-(account|api-key)/;

describe('the API', () => {
  it.each(ROUTES.map((route) => [route.id, route] as const))(
    'returns the documented shape for %s',
    async (_, route) => {
      const answer = await send(route, CHILD, credentialsFor(route, KEY.partner));
      expect([answer.statusCode, answer.statusCode < 400 ? '' : answer.body]).toEqual([route.status, '']);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      if (!route.answer) return expect(answer.body).toBe('');
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(violationsOf(route.answer, answer.json(), 'refuse')).toEqual([]);
    },
  );

  it('consists of the routes in the table above', () => {
    const document = JSON.parse(JSON.stringify([...ROUTES, ...STREAMS].map(({ id }) => id).sort())) as string[];
    return wholeDocument<{ paths: Record<string, Record<string, { operationId: string }>> }>(gateway).then(
      ({ paths }) => {
        expect(
          Object.values(paths)
            .flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
            .sort(),
        ).toEqual(document);
      },
    );
  });
});

describe('The gateway', () => {
  const ACCOUNTS = {
    own: PARTNER,
    child: CHILD,
    stranger: STRANGER,
    'child of a stranger': STRANGERS_CHILD,
    unknown: UNKNOWN,
    malformed: 'x',
    'upper case': CHILD.toUpperCase(),
    'upper case of a stranger': STRANGER.toUpperCase(),
  };
  const guarded = ROUTES.filter(({ reach }) => reach === 'own' || reach === 'account');

  it.each(ROUTES.filter(({ reach }) => reach !== 'public').map((route) => [route.id, route] as const))(
    'requires for %s credentials of its kind',
    async (_, route) => {
      expect(codeOf(await send(route, PARTNER, {}))).toBe('401 missing-credentials');
      if (route.reach === 'staff') {
        for (const secret of Object.values(KEY))
          expect(codeOf(await send(route, PARTNER, as(secret)))).toBe('401 missing-credentials');
        expect(codeOf(await send(route, PARTNER, { authorization: `Staff ${gateway.staffToken}x` }))).toBe(
          '401 invalid-staff-token',
        );
        return;
      }
      expect(codeOf(await send(route, PARTNER, { authorization: `Staff ${gateway.staffToken}` }))).toBe(
        '401 missing-credentials',
      );
      expect(codeOf(await send(route, PARTNER, as(KEY.revoked)))).toBe('401 revoked-api-key');
      expect(codeOf(await send(route, PARTNER, as(KEY.elsewhere)))).toBe('403 ip-not-allowed');
      expect(codeOf(await send(route, PARTNER, as(`${KEY.partner.slice(0, -1)}x`)))).toBe('401 unknown-api-key');
    },
  );

  it.each(guarded.filter(({ method }) => method !== 'GET').map((route) => [route.id, route] as const))(
    'refuses %s to a read-only key',
    async (_, route) => {
      const before = gateway.bus.requests.length;
      expect(codeOf(await send(route, PARTNER, as(KEY.readOnly)))).toBe('403 api-key-read-only');
      expect(
        gateway.bus.requests.slice(before).filter(({ pattern }) => !pattern.startsWith('onboarding.query')),
      ).toEqual([]);
    },
  );

  it.each(guarded.filter(({ reach }) => reach === 'account').map((route) => [route.id, route] as const))(
    'allows %s only on the account of the key and its sub-accounts',
    async (_, route) => {
      const bodies = new Set<string>();
      for (const [name, account] of Object.entries(ACCOUNTS)) {
        const before = gateway.bus.requests.length;
        const answer = await send(route, account, as(KEY.partner));
        const reached = name === 'own' || name === 'child' || name === 'upper case';
        expect([name, answer.statusCode]).toEqual([name, reached ? route.status : 403]);
        if (reached) continue;
        bodies.add(answer.body);
        expect(gateway.bus.requests.slice(before).filter(({ pattern }) => !LOOK_UPS.test(pattern))).toEqual([]);
      }
      expect([...bodies].map((body) => (JSON.parse(body) as { error: { code: string } }).error.code)).toEqual([
        'account-access-denied',
      ]);
      expect(codeOf(await send(route, PARTNER, as(KEY.child)))).toBe('403 account-access-denied');
      expect(codeOf(await send(route, CHILD, as(KEY.stranger)))).toBe('403 account-access-denied');
    },
  );

  it('acts on the account of the key in v0', async () => {
    await send(ROUTES.find(({ id }) => id === 'create-quote-v0') as RouteCase, '', as(KEY.child));
    expect(lastRequest(RequestQuote)?.payload).toMatchObject({ accountId: CHILD, scope: 'family' });
    await get('/api/v0/assets/usdc/balance', KEY.stranger);
    expect(lastRequest(GetBalance)?.payload).toEqual({
      accountId: STRANGER,
      assets: ['eth-mainnet/usdc', 'eth-base/usdc'],
    });
  });
});
