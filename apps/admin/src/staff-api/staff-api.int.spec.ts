import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Violation } from '@ponte/kernel';
import { runAdmin } from '../program';

/** What the stub heard, and what it answers next. */
let heard: { method: string; url: string; authorization: string; body: unknown }[];
let answers: { status: number; body: unknown; next?: string }[];
let server: Server;
let baseUrl: string;

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
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
  ...['account:open-subaccount', '--parent', 'p', '--alias', 'A', '--legal-name', 'N', '--tax-id', 'T'],
  ...['--bank-code', '001', '--branch-number', '1', '--account-number', '2-3'],
];
const soon = (body: unknown, status = 200, next?: string) =>
  answers.push({ body, status, ...(next === undefined ? {} : { next }) });

interface Ended {
  readonly code: number;
  /** The JSON that was printed. */
  readonly shown: unknown;
  readonly err: readonly string[];
}

/** Runs a verb against the stub. A file that it names contains `P`. */
async function run(argv: readonly string[], at = baseUrl): Promise<Ended> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runAdmin(
    [...argv, '--json'],
    { gateway: async () => ({ baseUrl: at, token: 'secret' }), operate: async () => 1 },
    { print: (text) => void out.push(text), complain: (text) => void err.push(text), readFile: () => 'P' },
  );
  return { code, shown: out.length === 0 ? undefined : JSON.parse(out.join('\n')), err };
}
const shownBy = async (...argv: string[]): Promise<unknown> => {
  const { shown, err } = await run(argv);
  expect(err).toEqual([]);
  return shown;
};

it('signs a staff member in for one step about a freeze, without the token of the installation, and out again', async () => {
  soon({ session: { 'csrf-token': 'c' } });
  soon({ account: { id: 'a', status: 'active', 'pending-step': 'freeze' } });
  soon({});
  const by = ['--account', 'a', '--as', 'analyst', '--password', 'p'];
  expect(await shownBy('account:freeze', ...by, '--reason', 'sanctions', '--evidence', 'Ticket 1')).toEqual({
    'account-id': 'a',
    status: 'active',
    'pending-step': 'freeze',
  });
  expect(heard.map(({ method, url, authorization, body }) => [method, url, authorization, body])).toEqual([
    ['POST', '/staff/v1/session', '', { name: 'analyst', password: 'p' }],
    ['POST', '/staff/v1/accounts/a/freeze', '', { reason: 'sanctions', evidence: 'Ticket 1' }],
    ['DELETE', '/staff/v1/session', '', undefined],
  ]);
  soon({ error: { code: 'sign-in-refused', message: 'no' } }, 401);
  expect(await run(['account:confirm-freeze', ...by])).toMatchObject({
    code: 1,
    err: ['refused: sign-in-refused: no'],
  });
});

it('sends each step about a freeze to its own route', async () => {
  const by = ['--account', 'a', '--as', 'analyst', '--password', '@file'];
  const request = ['--reason', 'resolved', '--evidence', '@file'];
  for (const line of [
    ['account:release', ...by, ...request],
    ['account:confirm-freeze', ...by],
    ['account:confirm-release', ...by],
    ['account:close-freeze-request', ...by],
  ]) {
    soon({ session: { 'csrf-token': 'c' } });
    soon({ account: { id: 'a', status: 'active', 'pending-step': null } });
    soon({});
    await shownBy(...line);
  }
  const steps = heard.filter(({ url }) => url.startsWith('/staff/v1/accounts/a/'));
  expect(steps.map(({ url, body }) => [url.slice('/staff/v1/accounts/a/'.length), body])).toEqual([
    ['release', { reason: 'resolved', evidence: 'P' }],
    ['freeze/confirm', undefined],
    ['release/confirm', undefined],
    ['freeze-request/close', undefined],
  ]);
});

it('lists address reviews and decides about one as a staff member who signs in', async () => {
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
  const by = ['--as', 'approver', '--password', 'p'];
  soon({ session: { 'csrf-token': 'c' } });
  soon({ 'address-reviews': [review] });
  soon({});
  expect(await shownBy('address-review:list', ...by)).toMatchObject({
    'review-id': 'r',
    subject: 'transfer',
    verdicts: 0,
  });
  soon({ session: { 'csrf-token': 'c' } });
  soon({ 'address-review': { ...review, outcome: 'refused', verdicts: [{}] } });
  soon({});
  const decide = ['address-review:decide', ...by, '--review', 'r', '--verdict', 'true-match', '--reason', 'Ticket 1'];
  expect(await shownBy(...decide)).toMatchObject({ outcome: 'refused', verdicts: 1 });
  expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /staff/v1/session',
    'GET /staff/v1/address-reviews',
    'DELETE /staff/v1/session',
    'POST /staff/v1/session',
    'POST /staff/v1/address-reviews/r/verdict',
    'DELETE /staff/v1/session',
  ]);
});

it('calls the staff API with the token of the installation and shows what it answers', async () => {
  const key = { id: 'k', 'account-id': 'a', access: 'read-only', revoked: false };
  soon({ account: wire });
  expect(await shownBy(...OPEN)).toEqual(account);
  soon({ account: wire });
  expect(await shownBy('capability:grant', '--account', 'a/b', '--capability', 'x')).toEqual(account);
  soon({ 'api-key': { ...key, secret: 's' } });
  expect(await shownBy('key:create', '--account', 'a', '--name', 'n', '--bearer')).toEqual({
    'key-id': 'k',
    'account-id': 'a',
    access: 'read-only',
    secret: 's',
  });
  soon({ 'api-key': key });
  expect(
    await shownBy(
      ...['key:create', '--account', 'a', '--name', 'n', '--public-key', 'file', '--algorithm', 'EdDSA'],
      ...['--ip-allowlist', '::1', '--writes-per-second', '1', '--write-burst', '2'],
      ...['--reads-per-second', '3', '--read-burst', '4'],
    ),
  ).toMatchObject({ secret: null });
  soon({ 'api-key': { ...key, revoked: true } });
  expect(await shownBy('key:revoke', '--key', 'k', '--reason', 'rotated')).toEqual({ 'key-id': 'k', revoked: true });
  soon({ wallet: { address: '0xab', fx: true } });
  expect(await shownBy('wallet:whitelist', '--account', 'a', '--address', '0xAB')).toEqual({
    'account-id': 'a',
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

it('searches the pages of the list for one account', async () => {
  soon({ accounts: [{ ...wire, id: 'b' }] }, 200, 'c1');
  soon({ accounts: [wire] });
  expect(await shownBy('account:show', '--account', 'a')).toEqual(account);
  expect(heard.map(({ url }) => url)).toEqual(['/staff/accounts?limit=200', '/staff/accounts?limit=200&cursor=c1']);
  soon({ accounts: [] });
  expect((await run(['account:show', '--account', 'a'])).err).toEqual([
    'refused: account-not-found at account-id: there is no such account',
  ]);
});

it('shows every violation of a refusal, and an unavailable service as one', async () => {
  const details: Violation[] = [
    { code: 'invalid-format', path: 'alias', message: 'm' },
    { code: 'missing-field', path: 'tax-id', message: 'n' },
  ];
  soon({ error: { type: 'invalid-request', code: 'invalid-format', message: 'm', details } }, 400);
  expect((await run(OPEN)).err).toEqual(['refused: invalid-format at alias: m', 'refused: missing-field at tax-id: n']);
  soon({ error: { type: 'authentication', code: 'invalid-staff-token', message: 'm' } }, 401);
  expect((await run(['account:list'])).err).toEqual(['refused: invalid-staff-token: m']);
  soon({ error: { type: 'service', code: 'service-unavailable', message: 'm' } }, 503);
  expect((await run(['account:list'])).err).toEqual(['not available: the service answered 503 service-unavailable']);
  expect((await run(OPEN, 'http://127.0.0.1:1')).err).toEqual([expect.stringMatching('^not available: no answer')]);
});

it('issues a reward certificate, with the tier only where one was named', async () => {
  const certificate = {
    id: 'c',
    'account-id': 'a',
    'wallet-address': '0x1',
    amount: '1',
    'reward-tier': 90,
    status: 'issued',
  };
  const issue = ['certificate:issue', '--account', 'a', '--wallet', '0x1', '--amount', '1', '--reference', 'r'];
  for (const tier of [[], ['--reward-tier', '97']]) {
    soon({ 'reward-certificate': certificate });
    expect(await shownBy(...issue, ...tier)).toEqual(certificate);
  }
  const body = { reference: 'r', 'wallet-address': '0x1', amount: '1' };
  expect(heard.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
    ['POST', '/staff/accounts/a/reward-certificates', body],
    ['POST', '/staff/accounts/a/reward-certificates', { ...body, 'reward-tier': 97 }],
  ]);
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
