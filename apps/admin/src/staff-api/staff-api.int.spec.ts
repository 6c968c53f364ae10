import { userInfo } from 'node:os';
import type { Violation } from '@ponte/kernel';
import { StaffApiUnderTest } from '../testing/staff-api-under-test';

const api = new StaffApiUnderTest();

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
  'account-id': 'a',
  'parent-id': 'p',
  alias: 'A',
  status: 'active',
  'external-id': null,
  'onboarding-mode': null,
  capabilities: ['manage-holders'],
  'created-at': '2026-01-01T00:00:00.000Z',
};
const OPEN = [
  ...['account', 'open-subaccount', '--parent', 'p', '--alias', 'A', '--legal-name', 'N', '--tax-id', 'T'],
  ...['--bank-code', '001', '--branch-number', '1', '--account-number', '2-3'],
];

it('calls the staff API with the staff token of the installation and shows the response', async () => {
  const key = { id: 'k', 'account-id': 'a', access: 'read-only', revoked: false };
  api.soon({ account: wire });
  expect(await api.shownBy(...OPEN)).toEqual(account);
  api.soon({ account: wire });
  expect(await api.shownBy('capability', 'grant', '--account', 'a/b', '--capability', 'x')).toEqual(account);
  api.soon({ 'api-key': { ...key, secret: 's' } });
  expect(await api.shownBy('api-key', 'create', '--account', 'a', '--name', 'n', '--bearer')).toEqual({
    'key-id': 'k',
    'account-id': 'a',
    access: 'read-only',
    secret: 's',
  });
  api.soon({ 'api-key': key });
  expect(
    await api.shownBy(
      ...['api-key', 'create', '--account', 'a', '--name', 'n', '--public-key', 'file', '--algorithm', 'EdDSA'],
      ...['--ip-allowlist', '::1', '--writes-per-second', '1', '--write-burst', '2'],
      ...['--reads-per-second', '3', '--read-burst', '4'],
    ),
  ).toMatchObject({ secret: null });
  api.soon({ 'api-key': { ...key, revoked: true } });
  expect(await api.shownBy('api-key', 'revoke', '--key', 'k', '--reason', 'rotated')).toEqual({
    'key-id': 'k',
    revoked: true,
  });
  api.soon({ wallet: { address: '0xab', fx: true } });
  expect(await api.shownBy('wallet', 'whitelist', '--account', 'a', '--address', '0xAB')).toEqual({
    'account-id': 'a',
    address: '0xab',
    fx: true,
  });
  expect(new Set(api.heard.map((one) => one.authorization))).toEqual(new Set(['Staff secret']));
  expect(new Set(api.heard.map((one) => one.operator))).toEqual(new Set([userInfo().username]));
  expect(api.heard.map(({ method, url, body }) => [`${method} ${url}`, body])).toEqual([
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

it('searches the pages of the list to show one account', async () => {
  api.soon({ accounts: [{ ...wire, id: 'b' }] }, 200, 'c1');
  api.soon({ accounts: [wire] });
  expect(await api.shownBy('account', 'show', '--account', 'a')).toEqual(account);
  expect(api.heard.map(({ url }) => url)).toEqual(['/staff/accounts?limit=200', '/staff/accounts?limit=200&cursor=c1']);
  api.soon({ accounts: [] });
  expect((await api.run(['account', 'show', '--account', 'a'])).err).toEqual([
    'refused: There is no such account. (account-not-found)',
  ]);
});

it('shows every violation of a refusal, and reports an unavailable service as such', async () => {
  const details: Violation[] = [
    { code: 'invalid-format', path: 'alias', message: 'm' },
    { code: 'missing-field', path: 'tax-id', message: 'n' },
  ];
  api.soon({ error: { type: 'invalid-request', code: 'invalid-format', message: 'm', details } }, 400);
  expect((await api.run(OPEN)).err).toEqual(['refused: m (invalid-format)', 'refused: n (missing-field)']);
  api.soon({ error: { type: 'authentication', code: 'invalid-staff-token', message: 'm' } }, 401);
  expect((await api.run(['account', 'list'])).err).toEqual(['refused: m (invalid-staff-token)']);
  api.soon({ error: { type: 'service', code: 'service-unavailable', message: 'm' } }, 503);
  expect((await api.run(['account', 'list'])).err).toEqual([
    'not available: the service answered 503 service-unavailable',
  ]);
  expect((await api.run(OPEN, 'http://127.0.0.1:1')).err).toEqual([expect.stringMatching('^not available: no answer')]);
});

it('issues a reward certificate, and sends the tier only if one is given', async () => {
  const certificate = {
    id: 'c',
    'account-id': 'a',
    'wallet-address': '0x1',
    amount: '1',
    'reward-tier': 90,
    status: 'issued',
  };
  const issue = ['certificate', 'issue', '--account', 'a', '--wallet', '0x1', '--amount', '1', '--reference', 'r'];
  for (const tier of [[], ['--reward-tier', '97']]) {
    api.soon({ 'reward-certificate': certificate });
    expect(await api.shownBy(...issue, ...tier)).toEqual(certificate);
  }
  const body = { reference: 'r', 'wallet-address': '0x1', amount: '1' };
  expect(api.heard.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
    ['POST', '/staff/accounts/a/reward-certificates', body],
    ['POST', '/staff/accounts/a/reward-certificates', { ...body, 'reward-tier': 97 }],
  ]);
});
