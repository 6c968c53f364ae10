import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STAFF_ROLES, openInTransit } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { BLOBS } from '@ponte/nest';
import type { Blobs, Sealed } from '@ponte/event-sourcing';
import { Refusal, Unavailable } from '@ponte/kernel';
import { CATALOGUE } from '../errors/catalogue';
import { sessionDocument } from '../testing/gateway-under-test';
import { SESSION_ROUTES, signIn, staffRequest, WAYS_ROUTE } from '../testing/staff-routes';
import type { SignedInBrowser, StaffRoute } from '../testing/staff-routes';
import { CASE_FILE, CASE_HOLDER, queueItem, STAFF } from '../testing/staff-fixtures';
import { KEY, PARTNER } from '../testing/fixtures';
import { ErrorDto } from '../openapi/error.dto';
import { violationsOf } from '../validation/violations';
import type { Shape } from '../validation/members';
import { ROLES_OF } from '../staff/roles';
import type { StaffOperationId } from '../staff/roles';
import { SAMPLE } from '../api/samples';
import * as backtests from '../api/pricing-rules/backtest.dto';
import * as rules from '../api/pricing-rules/rules.dto';
import * as freezes from './accounts/freeze.dto';
import * as addressReviews from './address-reviews/address-review.dto';
import * as transfers from './transfers/transfer.dto';
import * as cases from './case/case.dto';
import * as findings from './case/findings.dto';
import * as records from './case/records.dto';
import * as members from './members/member.dto';
import * as privacy from './privacy/privacy.dto';
import * as reports from './reports/report.dto';
import * as decisions from './review/decisions.dto';
import * as queue from './review/queue.dto';
import * as session from './session/session.dto';
import * as operators from './staff.dto';
import * as apiKeys from './api-key.dto';
import * as arrived from '../api/deposits/deposit.dto';
import * as received from './deposits/deposit.dto';
import * as certificates from '../api/certificates/certificate.dto';
import * as nftTransfers from '../api/nft-transfers/nft-transfer.dto';
import * as staffCertificates from './certificates/certificate.dto';
import * as usd from './usd-deposits/usd-deposit.dto';
import * as outward from '../api/withdrawals/withdrawal.dto';
import * as withdrawalRequests from '../api/withdrawals/withdrawal-request.dto';
import * as withdrawals from './withdrawals/withdrawal.dto';
import { codeOf, useGateway } from '../testing/use-gateway';
import * as wallets from './wallets/wallet.dto';

type Name = keyof typeof STAFF;
const NAMES = Object.keys(STAFF) as Name[];
const ROUTES = Object.entries(SESSION_ROUTES) as [StaffOperationId, StaffRoute][];

const gateway = useGateway();
let browsers: Record<Name, SignedInBrowser>;
beforeAll(async () => {
  await gateway.app
    .get<Blobs>(BLOBS, { strict: false })
    .put(CASE_FILE, Buffer.from('\x89PNG'), { contentType: 'image/png' });
  const signed = await Promise.all(NAMES.map(async (name) => [name, await signIn(gateway, name)] as const));
  browsers = Object.fromEntries(signed) as Record<Name, SignedInBrowser>;
});

const send = (route: StaffRoute, headers: Record<string, string>) => gateway.app.inject(staffRequest(route, headers));
const as = (name: Name, url: string, body?: object) =>
  send({ method: body ? 'POST' : 'GET', url, ...(body ? { body } : {}), status: 200, answer: null }, browsers[name]);
const asked = (definition: { pattern: string }) => gateway.bus.askedOf(definition).at(-1);
const ONE = `/staff/v1/account-requests/${SAMPLE.requestId}`;
/** A role that may call it; any of them will do. */
const allowed = (id: StaffOperationId): Name =>
  NAMES.find((name) => (ROLES_OF[id] as readonly string[]).includes(STAFF[name].roles[0] ?? '')) as Name;
/** The last route ends the session, so it gets one of its own. */
const browserFor = async (id: StaffOperationId, name: Name) =>
  id === 'staff-sign-out' ? signIn(gateway, name) : browsers[name];

describe('every route of the staff API', () => {
  it.each(ROUTES)('%s answers in its own shape, and no cache keeps the answer', async (id, route) => {
    const answer = await send(route, await browserFor(id, allowed(id)));
    expect([answer.statusCode, answer.statusCode < 400 ? '' : answer.body]).toEqual([route.status, '']);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    if (route.answer) expect(violationsOf(route.answer, answer.json(), 'refuse')).toEqual([]);
  });

  it('the table is the whole API, and docs/staff-api.md prints the roles of every path', async () => {
    const { paths } = sessionDocument<unknown>(gateway) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(ids.sort()).toEqual(
      [...Object.keys(ROLES_OF), 'staff-list-ways', 'staff-sign-in', 'staff-begin-oidc', 'staff-finish-oidc'].sort(),
    );
    const text = readFileSync(join(__dirname, '../../../../docs/staff-api.md'), 'utf8');
    for (const path of Object.keys(paths)) {
      const [last = ''] = path.split('/').slice(-1);
      expect([path, text.includes(path) || text.includes(`/${last}\``) || text.includes(`\`${last}\``)]).toEqual([
        path,
        true,
      ]);
    }
    for (const [line, operation] of ROLE_LINES) {
      const row = text
        .split('\n')
        .find((one) => one.startsWith('|') && one.includes(line) && one.split('|').length === 7)
        ?.split('|')
        .slice(2, 6)
        .map((one) => one.trim() === '✓');
      expect([line, row]).toEqual([
        line,
        STAFF_COLUMNS.map((role) => (ROLES_OF[operation] as readonly string[]).includes(role)),
      ]);
    }
  });
});

const STAFF_COLUMNS = ['compliance-analyst', 'compliance-approver', 'operator', 'auditor'];
const ROLE_LINES: [string, StaffOperationId][] = [
  ['`DELETE /staff/v1/session`', 'staff-sign-out'],
  ['`GET …/{id}/history`', 'staff-get-history'],
  ['`/ask-information`', 'staff-reject'],
  ['files/{file-id}', 'staff-open-file'],
  ['`POST /staff/v1/privacy-reports`', 'staff-make-privacy-report'],
  ['`POST /staff/v1/erasures`', 'staff-erase'],
  ['whitelisted-wallets', 'staff-whitelist-account-wallet'],
  ['end-sessions', 'staff-end-sessions'],
  ['address-reviews/{id}/verdict`', 'staff-decide-address-review'],
  ['reports/fx-days', 'staff-get-fx-days'],
  ['reports/fx-days', 'staff-download-iof-payable'],
];

describe('who may call what: every operation of the staff document and every principal', () => {
  it.each(ROUTES)('%s is for its roles alone', async (id, route) => {
    for (const name of NAMES) {
      const before = gateway.bus.asked.length;
      const answer = await send(route, await browserFor(id, name));
      const may = STAFF[name].roles.some((role) => (ROLES_OF[id] as readonly string[]).includes(role));
      expect([name, codeOf(answer)]).toEqual([name, may ? String(route.status) : '403 role-not-allowed']);
      const behind = gateway.bus.asked
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
  ])(
    '%s opens neither to no one, nor to a key of a partner, nor to the token of the installation',
    async (id, route) => {
      const strangers = {
        unknown: {},
        ...Object.fromEntries(
          Object.entries(KEY).map(([name, secret]) => [name, { authorization: `Bearer ${secret}` }]),
        ),
        token: { authorization: `Staff ${gateway.staffToken}` },
        forged: { cookie: `ponte-staff=${'A'.repeat(43)}` },
      };
      const before = gateway.bus.asked.length;
      for (const [name, headers] of Object.entries(strangers))
        expect([name, codeOf(await send(route, headers))]).toEqual([name, '401 no-session']);
      // Every response to a known key says how much it may still ask, so the key is looked up.
      expect(gateway.bus.asked.slice(before).filter(({ pattern }) => !pattern.endsWith('get-api-key'))).toEqual([]);
      if (route.method === 'GET') return;
      const { cookie } = browsers[allowed(id)];
      for (const token of [undefined, '', browsers.operator['x-csrf-token'] + 'x', 'x'.repeat(43)]) {
        expect(codeOf(await send(route, { cookie, ...(token === undefined ? {} : { 'x-csrf-token': token }) }))).toBe(
          '403 csrf-token-mismatch',
        );
      }
    },
  );

  it('a token of another session is refused', async () => {
    const headers = { cookie: browsers.analyst.cookie, 'x-csrf-token': browsers.approver['x-csrf-token'] };
    expect(codeOf(await send(SESSION_ROUTES['staff-claim'], headers))).toBe('403 csrf-token-mismatch');
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost:81' }, 403],
    [{ origin: 'http://localhost' }, 200],
    [{ origin: 'http://localhost:80', 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
  ])('a request with %j answers %i, also when it only reads', async (headers, status) => {
    for (const id of ['staff-claim', 'staff-open-file', 'staff-list-account-requests'] as const) {
      const answer = await send(SESSION_ROUTES[id], {
        host: 'localhost:80',
        ...browsers.analyst,
        ...(headers as Record<string, string>),
      });
      expect([id, codeOf(answer)]).toEqual([id, status === 200 ? '200' : '403 cross-origin-request']);
    }
  });

  it('a session opens no route of a partner, nor of the installation', async () => {
    for (const url of ['/api/v1/accounts', `/api/v1/accounts/${PARTNER}/limits`, '/staff/accounts']) {
      for (const name of NAMES)
        expect(codeOf(await gateway.app.inject({ url, headers: browsers[name] }))).toBe('401 missing-credentials');
    }
  });

  it('no Idempotency-Key is taken: the same one twice is two looks, and both are written down', async () => {
    const before = gateway.bus.askedOf(contracts.OpenReviewCase).length;
    for (let time = 0; time < 2; time += 1) {
      const answer = await send(SESSION_ROUTES['staff-open-case'], { ...browsers.analyst, 'idempotency-key': 'once' });
      expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([200, undefined]);
    }
    const looks = gateway.bus.askedOf(contracts.OpenReviewCase).slice(before);
    expect([looks.length, new Set(looks.map(({ context }) => context.commandId)).size]).toEqual([2, 2]);
  });
});

describe('what goes to onboarding', () => {
  it('the queue: filters as they were asked for, me, hours of age, and a cursor bound to all of it', async () => {
    const now = Date.now();
    const url = `/staff/v1/account-requests?status=pending&status=approved&stage=screening,manual-review&assignee=me&partner=${PARTNER}&cause=screening-hit&escalated=false&older-than-hours=48&created-from=2026-01-01T00:00:00Z&limit=7`;
    const answer = await as('analyst', url);
    const { payload, context } = asked(contracts.ListReviewQueue) ?? {};
    expect(payload).toMatchObject({
      order: 'oldest',
      limit: 7,
      cursor: null,
      filters: {
        statuses: ['pending', 'approved'],
        stages: ['screening', 'manual-review'],
        assignedTo: STAFF.analyst.staffId,
        parentId: PARTNER,
        causes: ['screening-hit'],
        escalated: false,
        createdAfter: '2026-01-01T00:00:00.000Z',
      },
    });
    const { createdBefore } = (payload as { filters: { createdBefore: string } }).filters;
    expect(Math.abs(Date.parse(createdBefore) - (now - 48 * 3_600_000))).toBeLessThan(60_000);
    expect(context?.actor).toBe(STAFF.analyst.staffId);
    const next = String(answer.headers['x-next-cursor']);
    expect(answer.headers.link).toContain('rel="next"');
    expect((await as('analyst', `${url}&cursor=${next}`)).statusCode).toBe(200);
    expect(asked(contracts.ListReviewQueue)?.payload).toMatchObject({ cursor: { id: SAMPLE.requestId } });
    expect(codeOf(await as('analyst', `${url.replace('limit=7', 'limit=7&order=newest')}&cursor=${next}`))).toBe(
      '400 invalid-cursor',
    );
    expect(codeOf(await as('analyst', `/staff/v1/account-requests?cursor=${next}`))).toBe('400 invalid-cursor');
    expect(answer.json()).toMatchObject({
      counts: { 'manual-review': 2, screening: 0 },
      'account-requests': [
        { assignee: { id: STAFF.analyst.staffId, name: 'analyst' }, 'age-seconds': expect.any(Number) as number },
        { assignee: null },
      ],
    });
    expect((await as('auditor', '/staff/v1/account-requests?assignee=none')).statusCode).toBe(200);
    expect(asked(contracts.ListReviewQueue)?.payload).toMatchObject({
      filters: { assignedTo: 'none', statuses: [], stages: [], causes: [] },
    });
  });

  it('decisions: who, with which roles, and a note that no one on the way can read', async () => {
    await as('analyst', `${ONE}/claim`, {});
    expect(asked(contracts.ClaimReview)?.payload).toEqual({
      requestId: SAMPLE.requestId,
      staff: { staffId: STAFF.analyst.staffId, roles: ['compliance-analyst'] },
      takeOver: false,
    });
    await as('analyst', `${ONE}/ask-information`, {
      items: ['address', 'other'],
      issues: ['data-mismatch'],
      note: 'Canary note',
    });
    const { payload } = asked(contracts.AskInformation) ?? {};
    expect(payload).toMatchObject({ items: ['address', 'other'], issues: ['data-mismatch'] });
    expect(JSON.stringify(payload)).not.toContain('Canary');
    expect(await openInTransit(gateway.engines.personalData, payload?.['note'] as Sealed)).toEqual({
      secret: 'Canary note',
    });
    await as('approver', `${ONE}/reject`, { reason: 'sanctions' });
    expect(asked(contracts.RejectReview)?.payload).toMatchObject({ reason: 'sanctions', note: null });
    expect(codeOf(await as('approver', `/staff/v1/account-requests/${PARTNER}/approve`, {}))).toBe(
      '404 account-request-not-found',
    );
  });

  it('a verdict names its hit; its note is sealed on the way, and the case shows it', async () => {
    await as('analyst', `${ONE}/verdicts`, {
      person: 'holder',
      list: 'pep',
      'entry-id': 'p1',
      verdict: 'true-match',
      reason: 'identity-confirmed',
      note: 'Canary verdict',
    });
    const { payload } = asked(contracts.JudgeScreeningHit) ?? {};
    expect(payload).toMatchObject({
      requestId: SAMPLE.requestId,
      staff: { staffId: STAFF.analyst.staffId },
      person: 'holder',
      list: 'pep',
      entryId: 'p1',
      verdict: 'true-match',
      reason: 'identity-confirmed',
    });
    expect(JSON.stringify(payload)).not.toContain('Canary');
    const shown = (
      (await as('analyst', `${ONE}/case`, { purpose: 'review' })).json() as {
        case: { screening: { hits: object[] }[] };
      }
    ).case;
    expect(shown.screening[0]?.hits[0]).toMatchObject({
      verdict: {
        verdict: 'false-positive',
        reason: 'birth-date-differs',
        note: 'Twenty years apart',
        staff: { name: 'analyst' },
        at: SAMPLE.time,
      },
    });
    expect((await as('operator', `${ONE}/history`)).json()).toMatchObject({
      'account-request': { id: SAMPLE.requestId },
      checklist: [{ check: 'rule-4' }],
      approvals: [{ name: 'approver' }],
    });
  });

  it('a freeze names its member of staff and seals its evidence on the way; the answer shows evidence, members and what waits', async () => {
    const answer = await as('analyst', `/staff/v1/accounts/${PARTNER}/freeze`, {
      reason: 'sanctions',
      evidence: 'Canary evidence',
    });
    const { payload } = asked(contracts.RequestAccountFreeze) ?? {};
    expect(payload).toMatchObject({
      accountId: PARTNER,
      staff: { staffId: STAFF.analyst.staffId, roles: ['compliance-analyst'] },
      reason: 'sanctions',
    });
    expect(JSON.stringify(payload)).not.toContain('Canary');
    expect(answer.json() as object).toMatchObject({
      account: {
        status: 'frozen',
        pending: { step: 'release', evidence: 'Canary evidence', 'requested-by': { name: 'analyst' } },
        freezes: [{ reason: 'pix-taken-back', 'requested-by': null }],
      },
    });
    for (const step of ['freeze', 'release'])
      expect(codeOf(await as('analyst', `/staff/v1/accounts/${PARTNER}/${step}/confirm`, {}))).toBe(
        '403 role-not-allowed',
      );
    expect(
      codeOf(await as('analyst', `/staff/v1/accounts/${PARTNER}/freeze`, { reason: 'resolved', evidence: 'x' })),
    ).toBe('400 invalid-enum-value');
    expect(codeOf(await as('analyst', `/staff/v1/accounts/${PARTNER}/freeze`, { reason: 'sanctions' }))).toBe(
      '400 missing-field',
    );
  });

  it('the account shows its true matches, who decided and how many there are; without the ledger it is shown without them', async () => {
    const match = {
      reviewId: SAMPLE.withdrawalId,
      subject: { kind: 'transfer' as const, id: SAMPLE.orderId },
      accountId: PARTNER,
      address: SAMPLE.wallet,
      chain: 'eth-base' as const,
      reason: 'Ticket 4711',
      staffId: STAFF.approver.staffId,
      decidedAt: SAMPLE.time,
    };
    const standing = async () =>
      ((await as('auditor', `/staff/v1/accounts/${PARTNER}/standing`)).json() as { account: Record<string, unknown> })
        .account;
    gateway.bus.on(contracts.ListAddressMatches, () => ({ matches: [match], total: 51 }));
    expect(await standing()).toMatchObject({
      'address-matches': [
        {
          'review-id': SAMPLE.withdrawalId,
          subject: 'transfer',
          'subject-id': SAMPLE.orderId,
          address: SAMPLE.wallet,
          chain: 'eth-base',
          reason: 'Ticket 4711',
          'decided-by': { id: STAFF.approver.staffId, name: 'approver' },
          'decided-at': SAMPLE.time,
        },
      ],
      'address-match-count': 51,
    });
    expect(asked(contracts.ListAddressMatches)?.payload).toEqual({ accountId: PARTNER });
    gateway.bus.on(contracts.ListAddressMatches, () => {
      throw new Unavailable('service-unavailable');
    });
    const without = await standing();
    expect([without['status'], 'address-matches' in without, 'address-match-count' in without]).toEqual([
      'frozen',
      false,
      false,
    ]);
    gateway.bus.on(contracts.ListAddressMatches, () => ({ matches: [], total: 0 }));
    expect(await standing()).toMatchObject({ 'address-matches': [], 'address-match-count': 0 });
  });

  it('address reviews: the queue without a query; by account and verdict newest first, with a cursor bound to both', async () => {
    const list = '/staff/v1/address-reviews';
    const before = gateway.bus.askedOf(contracts.SearchAddressReviews).length;
    expect((await as('operator', list)).headers['x-next-cursor']).toBeUndefined();
    expect(gateway.bus.askedOf(contracts.SearchAddressReviews)).toHaveLength(before);
    const filtered = `${list}?account-id=${PARTNER}&verdict=true-match`;
    const answer = await as('operator', filtered);
    expect(asked(contracts.SearchAddressReviews)?.payload).toMatchObject({
      filters: { accountId: PARTNER, verdict: 'true-match' },
      page: { limit: 50, cursor: null },
    });
    const cursor = String(answer.headers['x-next-cursor']);
    expect(codeOf(await as('operator', `${filtered}&cursor=${cursor}`))).toBe('200');
    expect(codeOf(await as('operator', `${list}?verdict=true-match&cursor=${cursor}`))).toBe('400 invalid-cursor');
    expect(codeOf(await as('operator', `${list}?verdict=maybe`))).toBe('400 invalid-enum-value');
    expect(codeOf(await as('operator', `${list}?account-id=none`))).toBe('400 invalid-format');
  });

  it.each([
    'review-not-open',
    'review-claimed',
    'second-approver-required',
    'screening-verdict-required',
    'true-match-found',
  ] as const)('a decision that came too late, or is not theirs, is refused as %s', async (code) => {
    gateway.bus.on(contracts.ApproveReview, () => {
      throw new Refusal([{ code, path: 'id', message: 'no' }]);
    });
    expect(codeOf(await as('approver', `${ONE}/approve`, {}))).toBe(`422 ${code}`);
    gateway.bus.on(contracts.ApproveReview, ({ requestId }) =>
      queueItem({ requestId, status: 'approved', reviewStage: null }),
    );
  });

  it('a case is opened for a purpose, and shows the person; the history shows no name of ours that is not listed', async () => {
    const answer = await as('auditor', `${ONE}/case`, { purpose: 'audit' });
    expect(asked(contracts.OpenReviewCase)?.payload).toEqual({
      requestId: SAMPLE.requestId,
      staff: { staffId: STAFF.auditor.staffId, roles: ['auditor'] },
      purpose: 'audit',
      note: null,
    });
    const shown = (answer.json() as { case: Record<string, Record<string, unknown>> }).case;
    expect(shown['holder']).toMatchObject({
      erased: false,
      'first-name': 'Canária',
      address: { line1: 'Canary Avenue 1' },
      'financial-profile': { 'monthly-income': 8500.5 },
      pep: { declared: false },
    });
    expect(shown['representative']).toMatchObject({
      'power-of-attorney-file-id': CASE_FILE,
      identifier: { value: '52998224725', country: 'BRA' },
    });
    expect(shown['staff-notes']).toEqual([
      {
        type: 'review-escalated',
        staff: { id: STAFF.analyst.staffId, name: 'analyst' },
        note: 'Looks like an entry',
        at: SAMPLE.time,
      },
    ]);
    expect(shown['history']).toEqual([
      {
        type: 'review-claimed',
        at: SAMPLE.time,
        actor: STAFF.analyst.staffId,
        'actor-name': 'analyst',
        facts: { 'staff-id': STAFF.analyst.staffId },
      },
    ]);
  });

  it('a document is bytes of its own type that no browser runs or keeps', async () => {
    const answer = await as('analyst', `${ONE}/files/${CASE_FILE}?purpose=second-approval`);
    expect(answer.rawPayload.equals(Buffer.from('\x89PNG'))).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="${CASE_FILE}.png"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(asked(contracts.OpenReviewFile)?.payload).toMatchObject({ fileId: CASE_FILE, purpose: 'second-approval' });
    for (const file of ['ev_01JD3F8M2K7Q9X4T6V8Z0A63B9', 'x', '..%2f..%2fstaff-token'])
      expect(codeOf(await as('analyst', `${ONE}/files/${file}?purpose=review`))).toBe('404 case-file-not-found');
    expect(codeOf(await as('analyst', `${ONE}/files/${CASE_FILE}`))).toBe('400 missing-field');
  });
});

describe('privacy', () => {
  it('a report by number: the number is in no URL, and sealed on its way', async () => {
    const answer = await as('auditor', '/staff/v1/privacy-reports', {
      identifier: { value: '529.982.247-25', country: 'bra' },
      purpose: 'privacy-request',
    });
    expect(answer.json()).toMatchObject({
      'privacy-report': {
        'subject-id': CASE_HOLDER,
        holdings: [{ 'legal-basis': 'law', 'retained-until': SAMPLE.later }],
        views: [{ 'account-request-id': SAMPLE.requestId }],
      },
    });
    expect(JSON.stringify(asked(contracts.OpenPrivacyReport)?.payload)).not.toContain('982');
    expect(codeOf(await as('auditor', `/staff/v1/account-requests/${PARTNER}/privacy-report?purpose=audit`))).toBe(
      '404 person-not-found',
    );
  });

  it('erasing takes two steps: what would be done and whom it is about, then the name typed', async () => {
    const erase = async (token: string, typed: string) =>
      codeOf(await as('approver', '/staff/v1/erasures', { token, typed }));
    const prepared = (
      (await as('approver', '/staff/v1/erasures/preparation', { 'account-request-id': SAMPLE.requestId })).json() as {
        'erasure-preparation': Record<string, string>;
      }
    )['erasure-preparation'];
    expect(prepared).toMatchObject({
      'confirm-with': 'Canária de Souza',
      'subject-id': CASE_HOLDER,
      outcome: 'erased',
      'retained-until': SAMPLE.later,
    });
    const token = String(prepared['token']);
    expect(Buffer.from(token, 'base64url').toString()).not.toContain('Can');
    const before = gateway.bus.askedOf(contracts.ErasePerson).length;
    expect(await erase(token, 'Canaria Souza')).toBe('422 erasure-not-confirmed');
    expect(await erase(token, '')).toBe('422 erasure-not-confirmed');
    expect(await erase(`${token}A`, 'Canária de Souza')).toBe('422 erasure-not-confirmed');
    expect(await erase('nothing', 'Canária de Souza')).toBe('422 erasure-not-confirmed');
    gateway.clock.offset = 600_000;
    expect(await erase(token, 'Canária de Souza')).toBe('422 erasure-not-confirmed');
    gateway.clock.offset = 0;
    expect(gateway.bus.askedOf(contracts.ErasePerson)).toHaveLength(before);
    expect(await erase(token, ' CANARIA  de souza ')).toBe('200');
    expect(asked(contracts.ErasePerson)?.payload).toMatchObject({
      person: { kind: 'request', requestId: SAMPLE.requestId, person: 'holder' },
      staff: { staffId: STAFF.approver.staffId },
    });
  });

  it('by number, the number is typed; a body says either, and not both', async () => {
    const identifier = { value: '529.982.247-25', country: 'BRA' };
    const { 'erasure-preparation': prepared } = (
      await as('approver', '/staff/v1/erasures/preparation', { identifier })
    ).json() as { 'erasure-preparation': Record<string, string> };
    expect(prepared['confirm-with']).toBe('529.982.247-25');
    expect(codeOf(await as('approver', '/staff/v1/erasures', { token: prepared['token'], typed: '52998224725' }))).toBe(
      '200',
    );
    expect(codeOf(await as('approver', '/staff/v1/erasures/preparation', {}))).toBe('400 missing-field');
    expect(
      codeOf(
        await as('approver', '/staff/v1/erasures/preparation', { identifier, 'account-request-id': SAMPLE.requestId }),
      ),
    ).toBe('400 unknown-field');
  });
});

describe('bodies and queries of the wrong shape', () => {
  it.each([
    ['analyst', `${ONE}/claim`, { 'take-over': 'yes' }, 'take-over invalid-type'],
    ['analyst', `${ONE}/claim`, { more: 1 }, 'more unknown-field'],
    ['analyst', `${ONE}/release`, { note: 'x' }, 'note unknown-field'],
    ['analyst', `${ONE}/escalate`, { note: '' }, 'note invalid-format'],
    ['analyst', `${ONE}/escalate`, { note: 7 }, 'note invalid-type'],
    ['analyst', `${ONE}/ask-information`, { issues: [] }, 'items missing-field'],
    ['analyst', `${ONE}/ask-information`, { items: [], issues: [] }, 'items invalid-format'],
    ['analyst', `${ONE}/ask-information`, { items: ['soul'], issues: [] }, 'items[0] invalid-enum-value'],
    ['analyst', `${ONE}/ask-information`, { items: ['other'], issues: ['sanctions'] }, 'issues[0] invalid-enum-value'],
    ['analyst', `${ONE}/reject`, {}, 'reason missing-field'],
    ['analyst', `${ONE}/reject`, { reason: 'compliance' }, 'reason invalid-enum-value'],
    [
      'analyst',
      `${ONE}/verdicts`,
      { person: 'holder', list: 'pep', 'entry-id': 'p1', verdict: 'maybe', reason: 'other' },
      'verdict invalid-enum-value',
    ],
    [
      'analyst',
      `${ONE}/verdicts`,
      { person: 'holder', list: 'pep', 'entry-id': 'p1', verdict: 'true-match' },
      'reason missing-field',
    ],
    ['analyst', `${ONE}/case`, {}, 'purpose missing-field'],
    ['analyst', `${ONE}/case`, { purpose: 'curiosity' }, 'purpose invalid-enum-value'],
    ['auditor', '/staff/v1/privacy-reports', { purpose: 'audit' }, 'identifier missing-field'],
    ['approver', '/staff/v1/erasures', { token: 't' }, 'typed missing-field'],
    ['operator', `/staff/v1/accounts/${PARTNER}/whitelisted-wallets`, { address: 7 }, 'address invalid-type'],
  ] as [Name, string, object, string][])('%s: POST %s %j is answered with %s', async (name, url, body, fault) => {
    const answer = await as(name, url, body);
    expect([
      answer.statusCode,
      (answer.json() as { error: { details: { path: string; code: string }[] } }).error.details.map(
        ({ path, code }) => `${path} ${code}`,
      ),
    ]).toEqual([400, [fault]]);
  });

  it.each([
    ['status=open', 'invalid-enum-value'],
    ['stage=manual-review,else', 'invalid-enum-value'],
    ['cause=mood', 'invalid-enum-value'],
    ['escalated=1', 'invalid-enum-value'],
    ['older-than-hours=0', 'invalid-format'],
    ['older-than-hours=9999', 'invalid-format'],
    ['order=random', 'invalid-enum-value'],
    ['partner=x', 'invalid-format'],
    ['limit=201', 'invalid-limit'],
  ])('the queue with %s is %s', async (query, code) => {
    expect(codeOf(await as('analyst', `/staff/v1/account-requests?${query}`))).toBe(`400 ${code}`);
  });

  it('a malformed id and an unknown path are not found', async () => {
    for (const path of ['history', 'files/x?purpose=review'])
      expect((await as('analyst', `/staff/v1/account-requests/x/${path}`)).statusCode).toBe(404);
    const nowhere = await gateway.app.inject({ url: '/staff/v1/nothing' });
    expect([codeOf(nowhere), nowhere.headers['content-security-policy']]).toEqual([
      '404 route-not-found',
      expect.stringContaining("default-src 'none'"),
    ]);
    expect(codeOf(await as('analyst', `${ONE}/claim`))).toBe('405 method-not-allowed');
  });
});

describe('the OpenAPI document of staff', () => {
  type Content = Record<
    string,
    { schema: { $ref: string }; examples?: Record<string, { value: { error?: { code: string } } }> }
  >;
  interface Operation {
    operationId: string;
    security?: object[];
    requestBody?: { content: Content };
    parameters: { name: string; in: string }[];
    responses: Record<string, { content?: Content; headers?: object }>;
    'x-roles'?: string[];
  }
  const shapes = new Map<string, Shape>(
    [
      cases,
      findings,
      freezes,
      records,
      members,
      privacy,
      addressReviews,
      transfers,
      decisions,
      queue,
      session,
      operators,
      apiKeys,
      wallets,
      withdrawals,
      outward,
      withdrawalRequests,
      certificates,
      staffCertificates,
      nftTransfers,
      usd,
      arrived,
      received,
      rules,
      backtests,
      reports,
      { ErrorDto },
    ]
      .flatMap((module) => Object.entries(module))
      .filter((entry): entry is [string, Shape] => typeof entry[1] === 'function' && /Dto$/.test(entry[0])),
  );

  it('has an example for every body and answer, right by its shape; errors by the catalogue; roles as the guard has them', async () => {
    const { openapi, paths } = sessionDocument<unknown>(gateway) as {
      openapi: string;
      paths: Record<string, Record<string, Operation>>;
    };
    expect(openapi).toBe('3.1.0');
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [path, method, operation] as const),
    );
    for (const [path, method, operation] of operations) {
      const { operationId, requestBody, responses, security = [] } = operation;
      expect(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(
        [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
      );
      expect(operation.parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(false);
      for (const [status, { content }] of [['body', requestBody ?? {}] as const, ...Object.entries(responses)]) {
        const json = content?.['application/json'];
        if (!json) continue;
        expect([operationId, status, Object.keys(json.examples ?? {}).length > 0]).toEqual([operationId, status, true]);
        for (const { value } of Object.values(json.examples ?? {})) {
          const shape = shapes.get(json.schema.$ref.replace('#/components/schemas/', ''));
          expect([operationId, status, shape && violationsOf(shape, value, 'refuse')]).toEqual([
            operationId,
            status,
            [],
          ]);
          if (value.error)
            expect(CATALOGUE.find(({ code }) => code === value.error?.code)?.status).toBe(Number(status));
        }
      }
      const roles = (ROLES_OF as Record<string, readonly string[]>)[operationId];
      expect([operationId, operation['x-roles']]).toEqual([operationId, roles]);
      expect([operationId, security]).toEqual([
        operationId,
        roles ? [{ 'staff-session': [], ...(method === 'get' ? {} : { 'csrf-token': [] }) }] : [],
      ]);
    }
    expect(new Set(operations.flatMap(([, , operation]) => operation['x-roles'] ?? []))).toEqual(new Set(STAFF_ROLES));
  });

  it('lets an object that may be null be null: beside a reference in allOf a null of the type would still be refused', async () => {
    const { components } = sessionDocument<unknown>(gateway) as {
      components: {
        schemas: Record<
          string,
          { properties?: Record<string, { allOf?: unknown; type?: unknown; description?: string }> }
        >;
      };
    };
    const properties = Object.entries(components.schemas).flatMap(([schema, { properties: of = {} }]) =>
      Object.entries(of).map(([name, property]) => [`${schema}.${name}`, property] as const),
    );
    expect(
      properties.filter(([, { allOf, type }]) => allOf !== undefined && Array.isArray(type)).map(([name]) => name),
    ).toEqual([]);
    expect(components.schemas['QueueItemDto']?.properties?.['assignee']).toEqual({
      description: 'Who has claimed it',
      anyOf: [{ $ref: '#/components/schemas/StaffRefDto' }, { type: 'null' }],
    });
  });

  it('nothing of it stands in the document of partners', async () => {
    expect((await gateway.app.inject({ url: '/openapi.json' })).body).not.toContain('/staff/');
    expect(SESSION_ROUTES['staff-sign-out'].status).toBe(204);
    expect(violationsOf(WAYS_ROUTE.answer as Shape, (await send(WAYS_ROUTE, {})).json(), 'refuse')).toEqual([]);
  });
});

describe('the console under /console', () => {
  const read = (url: string, headers: Record<string, string> = {}) => gateway.app.inject({ url, headers });

  it('serves its page for each of its own addresses, under a strict policy', async () => {
    const pages = await Promise.all(
      ['/console', '/console/', `/console/cases/${SAMPLE.requestId}`].map((url) => read(url, { accept: 'text/html' })),
    );
    expect(new Set(pages.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(pages[0]?.statusCode).toBe(200);
    expect(pages[0]?.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(pages[0]?.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('names the type of each file, and lets a browser keep it while it is the same', async () => {
    const sources = [...(await read('/console')).body.matchAll(/(?:src|href)="(\/console\/[^"]+\.[a-z]+)"/g)].map(
      ([, url = '']) => url,
    );
    expect(sources.length).toBeGreaterThan(0);
    for (const url of sources) {
      const file = await read(url);
      expect([
        url,
        file.statusCode,
        /^(text\/(css|javascript)|image\/|font\/|application\/manifest)/.test(String(file.headers['content-type'])),
      ]).toEqual([url, 200, true]);
      const again = await read(url, { 'if-none-match': String(file.headers['etag']) });
      expect([again.statusCode, again.body, again.headers['content-security-policy']]).toEqual([
        304,
        '',
        file.headers['content-security-policy'],
      ]);
    }
  });

  it.each([
    '/console/../package.json',
    '/console/..%2f..%2fpackage.json',
    '/console/%2e%2e/%2e%2e/package.json',
    '/console/....//package.json',
    '/console/types.d.ts',
    '/console/nothing.js',
    '/console/%00.js',
    '/console/tsconfig.json',
    '/consoles',
  ])('%s is not there', async (url) => {
    expect((await read(url)).statusCode).toBe(404);
  });
});
