import type { Violation } from '@ponte/kernel';
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { OpenAccountInput } from '../operations';
import { StaffRoutes } from './staff-routes';

/** What the stub heard, and what it answers next. */
let heard: { method: string; url: string; authorization: string; body: unknown }[];
let answers: { status: number; body: unknown; next?: string }[];
let server: Server;
let routes: StaffRoutes;

beforeAll(async () => {
  server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      heard.push({
        method: request.method ?? '',
        url: request.url ?? '',
        authorization: request.headers.authorization ?? '',
        body: text === '' ? undefined : JSON.parse(text),
      });
      const { status, body, next } = answers.shift() ?? { status: 500, body: {} };
      response
        .writeHead(status, {
          'content-type': 'application/json',
          ...(next === undefined ? {} : { 'x-next-cursor': next }),
        })
        .end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  routes = new StaffRoutes({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'secret' });
});
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);
beforeEach(() => {
  heard = [];
  answers = [];
});

const wire = {
  id: 'a',
  'parent-id': 'p',
  alias: 'A',
  status: 'active',
  'onboarding-mode': null,
  capabilities: ['manage-holders'],
  'created-at': '2026-01-01T00:00:00.000Z',
};
const account = {
  accountId: 'a',
  parentId: 'p',
  alias: 'A',
  status: 'active',
  externalId: null,
  onboardingMode: null,
  capabilities: ['manage-holders'],
  createdAt: '2026-01-01T00:00:00.000Z',
};
const input: OpenAccountInput = {
  parentId: 'p',
  alias: 'A',
  externalId: null,
  onboardingMode: null,
  capabilities: [],
  legalName: 'N',
  taxId: 'T',
  bankAccount: { bankCode: '001', branch: '1', number: '2-3' },
};
const soon = (body: unknown, status = 200, next?: string) =>
  answers.push({ body, status, ...(next === undefined ? {} : { next }) });

it('signs a member of staff in for one step about a freeze, without the token of the installation, and out again', async () => {
  soon({ session: { 'csrf-token': 'c' } });
  soon({ account: { id: 'a', status: 'active', 'pending-step': 'freeze' } });
  soon({});
  const shown = await routes.freezeStep({
    accountId: 'a',
    as: 'analyst',
    password: 'p',
    step: 'freeze',
    reason: 'sanctions',
    evidence: 'Ticket 1',
  });
  expect(shown).toEqual({ accountId: 'a', status: 'active', pendingStep: 'freeze' });
  expect(heard.map(({ method, url, authorization, body }) => [method, url, authorization, body])).toEqual([
    ['POST', '/staff/v1/session', '', { name: 'analyst', password: 'p' }],
    ['POST', '/staff/v1/accounts/a/freeze', '', { reason: 'sanctions', evidence: 'Ticket 1' }],
    ['DELETE', '/staff/v1/session', '', undefined],
  ]);
  soon({ error: { code: 'sign-in-refused', message: 'no' } }, 401);
  await expect(
    routes.freezeStep({ accountId: 'a', as: 'analyst', password: 'p', step: 'confirm-freeze' }),
  ).rejects.toMatchObject({ code: 'sign-in-refused' });
});

it('lists address reviews and decides about one as a member of staff who signs in', async () => {
  const review = {
    id: 'r',
    subject: 'transfer',
    'subject-id': 't',
    'account-id': 'a',
    address: '0x5a',
    outcome: 'waits',
    'held-at': '2026-11-20T12:00:00.000Z',
    verdicts: [],
  };
  const by = { as: 'approver', password: 'p' };
  soon({ session: { 'csrf-token': 'c' } });
  soon({ 'address-reviews': [review] });
  soon({});
  expect(await routes.listAddressReviews(by)).toMatchObject([{ reviewId: 'r', subject: 'transfer', verdicts: 0 }]);
  soon({ session: { 'csrf-token': 'c' } });
  soon({ 'address-review': { ...review, outcome: 'refused', verdicts: [{}] } });
  soon({});
  const decision = { reviewId: 'r', verdict: 'true-match', reason: 'Ticket 1' } as const;
  expect(await routes.decideAddressReview({ ...by, ...decision })).toMatchObject({ outcome: 'refused', verdicts: 1 });
  expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /staff/v1/session',
    'GET /staff/v1/address-reviews',
    'DELETE /staff/v1/session',
    'POST /staff/v1/session',
    'POST /staff/v1/address-reviews/r/verdict',
    'DELETE /staff/v1/session',
  ]);
});

it("asks the staff routes as the token's bearer and reads their answers", async () => {
  soon({ account: wire });
  expect(await routes.openAccount(input)).toEqual(account);
  soon({ account: wire });
  expect(await routes.changeCapabilities('a/b', { grant: ['x'], revoke: [] })).toEqual(account);
  soon({ 'api-key': { id: 'k', 'account-id': 'a', access: 'read-only', revoked: false, secret: 's' } });
  expect(
    await routes.createKey({
      accountId: 'a',
      name: 'n',
      access: 'read-only',
      credential: { kind: 'bearer' },
      ipAllowlist: [],
      rateLimits: null,
    }),
  ).toEqual({ keyId: 'k', accountId: 'a', access: 'read-only', secret: 's' });
  soon({ 'api-key': { id: 'k', 'account-id': 'a', access: 'read-only', revoked: false } });
  expect(
    await routes.createKey({
      accountId: 'a',
      name: 'n',
      access: 'read-only',
      credential: { kind: 'jwt', algorithm: 'EdDSA', publicKey: 'P' },
      ipAllowlist: ['::1'],
      rateLimits: { writesPerSecond: 1, writeBurst: 2, readsPerSecond: 3, readBurst: 4 },
    }),
  ).toMatchObject({ secret: null });
  soon({ 'api-key': { id: 'k', 'account-id': 'a', access: 'read-only', revoked: true } });
  expect(await routes.revokeKey('k', 'rotated')).toEqual({ keyId: 'k', revoked: true });
  soon({ wallet: { address: '0xab', fx: true } });
  expect(await routes.whitelistWallet({ accountId: 'a', address: '0xAB', fx: false })).toEqual({
    accountId: 'a',
    address: '0xab',
    fx: true,
  });
  expect(new Set(heard.map((one) => one.authorization))).toEqual(new Set(['Staff secret']));
  expect(heard.map(({ method, url, body }) => [`${method} ${url}`, body])).toEqual([
    [
      'POST /staff/accounts',
      {
        'parent-id': 'p',
        alias: 'A',
        'legal-name': 'N',
        'tax-id': 'T',
        capabilities: [],
        'bank-account': { 'bank-code': '001', 'branch-number': '1', 'account-number': '2-3' },
      },
    ],
    ['POST /staff/accounts/a%2Fb/capabilities', { grant: ['x'], revoke: [] }],
    ['POST /staff/accounts/a/api-keys', { name: 'n', access: 'read-only', bearer: true }],
    [
      'POST /staff/accounts/a/api-keys',
      {
        name: 'n',
        access: 'read-only',
        'public-key': 'P',
        algorithm: 'EdDSA',
        'ip-allowlist': ['::1'],
        'rate-limits': { 'writes-per-second': 1, 'write-burst': 2, 'reads-per-second': 3, 'read-burst': 4 },
      },
    ],
    ['POST /staff/api-keys/k/revoke', { reason: 'rotated' }],
    ['POST /staff/accounts/a/whitelisted-wallets', { address: '0xAB', fx: false }],
  ]);
});

it('looks for one account through the pages of the list', async () => {
  soon({ accounts: [{ ...wire, id: 'b' }] }, 200, 'c1');
  soon({ accounts: [wire] });
  expect(await routes.showAccount('a')).toEqual(account);
  expect(heard.map(({ url }) => url)).toEqual(['/staff/accounts?limit=200', '/staff/accounts?limit=200&cursor=c1']);
  soon({ accounts: [] });
  await expect(routes.showAccount('a')).rejects.toMatchObject({ code: 'account-not-found' });
});

it('gives back a refusal with all its violations, and an unavailability as one', async () => {
  const details: Violation[] = [
    { code: 'invalid-format', path: 'alias', message: 'm' },
    { code: 'missing-field', path: 'tax-id', message: 'n' },
  ];
  soon({ error: { type: 'invalid-request', code: 'invalid-format', message: 'm', details } }, 400);
  await expect(routes.openAccount(input)).rejects.toEqual(new Refusal(details));
  soon({ error: { type: 'authentication', code: 'invalid-staff-token', message: 'm' } }, 401);
  await expect(routes.listAccounts(1, null)).rejects.toMatchObject({
    violations: [{ code: 'invalid-staff-token', path: '', message: 'm' }],
  });
  soon({ error: { type: 'service', code: 'service-unavailable', message: 'm' } }, 503);
  await expect(routes.listAccounts(1, null)).rejects.toBeInstanceOf(Unavailable);
  await expect(
    new StaffRoutes({ baseUrl: 'http://127.0.0.1:1', token: 'secret' }).openAccount(input),
  ).rejects.toBeInstanceOf(Unavailable);
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

it('issues a reward certificate, with the tier only where one was named', async () => {
  const certificate = {
    id: 'c',
    'account-id': 'a',
    'wallet-address': '0x1',
    amount: '1',
    'reward-tier': 90,
    status: 'issued',
  };
  const issue = { accountId: 'a', walletAddress: '0x1', amount: '1', rewardTier: null, reference: 'r' };
  for (const rewardTier of [null, 97] as const) {
    soon({ 'reward-certificate': certificate });
    expect(await routes.issueCertificate({ ...issue, rewardTier })).toEqual({
      id: 'c',
      accountId: 'a',
      walletAddress: '0x1',
      amount: '1',
      rewardTier: 90,
      status: 'issued',
    });
  }
  const body = { reference: 'r', 'wallet-address': '0x1', amount: '1' };
  expect(heard.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
    ['POST', '/staff/accounts/a/reward-certificates', body],
    ['POST', '/staff/accounts/a/reward-certificates', { ...body, 'reward-tier': 97 }],
  ]);
});
