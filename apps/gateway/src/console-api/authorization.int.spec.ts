import 'reflect-metadata';
import * as contracts from '@ponte/contracts';
import type { StaffRoute } from '../testing/staff-route';
import { SESSION_ROUTES } from '../testing/staff-routes';
import { STAFF } from '../testing/staff-members';
import { KEY } from '../testing/api-keys';
import { PARTNER } from '../testing/accounts';
import type { StaffOperationId } from '../staff/roles';
import { ROLES_OF } from '../staff/roles';
import { codeOf } from '../testing/use-gateway';
import {
  NAMES,
  ROUTES,
  allowed,
  browserFor,
  browsers,
  gateway,
  send,
  useSignedInStaff,
} from './testing/staff-requests';

useSignedInStaff();

describe('The staff API', () => {
  it.each(ROUTES)('allows %s for its roles only', async (id, route) => {
    for (const name of NAMES) {
      const before = gateway.bus.requests.length;
      const answer = await send(route, await browserFor(id, name));
      const may = STAFF[name].roles.some((role) => (ROLES_OF[id] as readonly string[]).includes(role));
      expect([name, codeOf(answer)]).toEqual([name, may ? String(route.status) : '403 role-not-allowed']);
      const behind = gateway.bus.requests
        .slice(before)
        .filter(({ pattern }) => !/get-staff-user|sign-in-staff/.test(pattern));
      if (!may) expect(behind).toEqual([]);
    }
  });

  it.each([
    ...ROUTES,
    [
      'staff-erase',
      { method: 'POST', url: '/staff/v1/erasures', body: { token: 'x', typed: 'x' }, status: 200, answer: null },
    ] as [StaffOperationId, StaffRoute],
  ])('refuses %s without a session, to a partner key and to the staff token', async (id, route) => {
    const strangers = {
      unknown: {},
      ...Object.fromEntries(Object.entries(KEY).map(([name, secret]) => [name, { authorization: `Bearer ${secret}` }])),
      token: { authorization: `Staff ${gateway.staffToken}` },
      forged: { cookie: `ponte-staff=${'A'.repeat(43)}` },
    };
    const before = gateway.bus.requests.length;
    for (const [name, headers] of Object.entries(strangers))
      expect([name, codeOf(await send(route, headers))]).toEqual([name, '401 no-session']);
    // Every response to a known key has its rate limit in the headers, so the key is looked up.
    expect(gateway.bus.requests.slice(before).filter(({ pattern }) => !pattern.endsWith('get-api-key'))).toEqual([]);
    if (route.method === 'GET') return;
    const { cookie } = browsers[allowed(id)];
    for (const token of [undefined, '', browsers.operator['x-csrf-token'] + 'x', 'x'.repeat(43)]) {
      expect(codeOf(await send(route, { cookie, ...(token === undefined ? {} : { 'x-csrf-token': token }) }))).toBe(
        '403 csrf-token-mismatch',
      );
    }
  });

  const SAMPLES = ['staff-claim', 'staff-list-account-requests'] as const;
  it.each(SAMPLES)('refuses %s with a CSRF token of another session', async (id) => {
    const headers = { cookie: browsers.analyst.cookie, 'x-csrf-token': browsers.approver['x-csrf-token'] };
    expect(codeOf(await send(SESSION_ROUTES[id], headers))).toBe('403 csrf-token-mismatch');
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost:81' }, 403],
    [{ origin: 'http://localhost' }, 200],
    [{ origin: 'http://localhost:80', 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 403],
  ])('responds to a request with %j with %i, even when it only reads', async (headers, status) => {
    for (const id of ['staff-claim', 'staff-open-file', 'staff-list-account-requests'] as const) {
      const answer = await send(SESSION_ROUTES[id], {
        host: 'localhost:80',
        ...browsers.analyst,
        ...(headers as Record<string, string>),
      });
      expect([id, codeOf(answer)]).toEqual([id, status === 200 ? '200' : '403 cross-origin-request']);
    }
  });

  it('accepts a session neither on partner routes nor on routes for the staff token', async () => {
    for (const url of ['/api/v1/accounts', `/api/v1/accounts/${PARTNER}/limits`, '/staff/accounts']) {
      for (const name of NAMES)
        expect(codeOf(await gateway.app.inject({ url, headers: browsers[name] }))).toBe('401 missing-credentials');
    }
  });

  it('ignores an Idempotency-Key: the same key twice is two views, and both are recorded', async () => {
    const before = gateway.bus.requestsOf(contracts.OpenReviewCase).length;
    for (let time = 0; time < 2; time += 1) {
      const answer = await send(SESSION_ROUTES['staff-open-case'], { ...browsers.analyst, 'idempotency-key': 'once' });
      expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([200, undefined]);
    }
    const looks = gateway.bus.requestsOf(contracts.OpenReviewCase).slice(before);
    expect([looks.length, new Set(looks.map(({ context }) => context.commandId)).size]).toEqual([2, 2]);
  });
});
