import { runAdmin } from '../../../admin/src/program';
import { cpfOf } from '../../../onboarding/src/testing/people';
import type { Json } from './testing/client';
import { Client } from './testing/client';
import { Customer } from './testing/customer';
import type { Running } from './testing/program';
import { Program, SIMULATED, SUITE_MS } from './testing/program';
import { SandboxUnderTest } from './testing/sandbox-under-test';
import { signInStaff } from './testing/staff';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

interface Asked extends Json {
  readonly id: string;
  readonly 'account-id': string;
  readonly status: string;
  readonly 'review-stage': string | null;
  readonly reason?: string;
  readonly requirements: { readonly missing: readonly string[] };
}
interface Line extends Json {
  readonly id: string;
  readonly status: string;
  readonly approvals: number;
  readonly assignee: { readonly name: string } | null;
  readonly causes: readonly string[];
}
interface Person extends Json {
  readonly erased: boolean;
}
interface Case {
  readonly holder: Person;
  readonly files: readonly { readonly id: string }[];
  readonly notes: readonly { readonly note: string }[];
  readonly 'staff-notes': readonly { readonly note: string }[];
  readonly approvals: readonly { readonly name: string }[];
  readonly views: readonly {
    readonly staff: { readonly name: string };
    readonly purpose: string;
    readonly what: string;
  }[];
  readonly history: readonly { readonly type: string; readonly 'actor-name': string | null }[];
}
interface Report {
  readonly status: string;
  readonly views: readonly { readonly staff: { readonly name: string } }[];
  readonly holdings: readonly { readonly kind: string; readonly 'retained-until': string | null }[];
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const REQUESTS = '/api/v1/accounts/kyc/individual';
const CANARY = 'Zymurgia';

let program: Program;
let running: Running;
let sandbox: SandboxUnderTest;
let partner: Client;
let staff: Record<'analyst' | 'approver-1' | 'approver-2' | 'auditor' | 'operator', Client>;
let made = 0;
beforeAll(async () => {
  program = await Program.build();
  running = await program.start(program.dataFolder(), SIMULATED);
  sandbox = SandboxUnderTest.of(running);
  partner = Client.bearer(running.sandbox['base-url'], running.sandbox['api-key']);
  const signed = await Promise.all(
    running.sandbox.staff.map(async (one) => [one.name, await signInStaff(running.sandbox['base-url'], one)] as const),
  );
  staff = Object.fromEntries(signed) as typeof staff;
});
afterAll(async () => {
  await Promise.all([partner, sandbox, ...Object.values(staff)].map((client) => client.close()));
  await program.close();
});

async function upload(): Promise<string> {
  return (
    await partner.post<{ file: { id: string } }>('/api/v1/accounts/files', {
      'content-base64': PNG.toString('base64'),
      purpose: 'document-front',
    })
  ).file.id;
}

const stands = (id: string, requested: (one: Asked) => boolean): Promise<Asked> =>
  until(async () => {
    const { 'account-request': request } = await partner.get<{ 'account-request': Asked }>(`${REQUESTS}/${id}`);
    if (!requested(request)) throw new Error(`it is ${request.status}, ${String(request['review-stage'])}`);
    return request;
  });
const waitsForStaff = (id: string) => stands(id, (one) => one['review-stage'] === 'manual-review');

/** The partner asks for the account of someone new; resolves when staff have to look. */
async function person(change: Json = {}): Promise<Asked> {
  made += 1;
  const { 'account-request': posted } = await partner.post<{ 'account-request': Asked }>(REQUESTS, {
    identifier: { value: cpfOf(420_000_000 + made), country: 'BRA' },
    'tax-residence': 'BRA',
    'reward-tier': 90,
    'first-name': CANARY,
    'last-name': 'Xilofonte',
    email: 'zymurgia@example.com',
    phone: '+55 11 91234-0001',
    'date-of-birth': '1988-02-29',
    'mother-full-name': 'Zenaide Xilofonte',
    address: {
      'postal-code': '01310-100',
      line1: 'Avenida Paulista 1000',
      city: 'São Paulo',
      state: 'SP',
      country: 'BRA',
    },
    document: { type: 'cnh', 'front-file-id': await upload() },
    liveness: { id: `review-${made}`, provider: 'provider-1' },
    pep: { declared: false },
    'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 9200.5 },
    ...change,
  });
  return waitsForStaff(posted.id);
}

const ONE = (id: string) => `/staff/v1/account-requests/${id}`;
const decide = (who: Client, id: string, verb: string, body: Json = {}) =>
  who.send<{ 'account-request': Line; error: { code: string } }>('POST', `${ONE(id)}/${verb}`, body);
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? ''}`.trim();
const open = async (who: Client, id: string, purpose = 'review') =>
  (await who.post<{ case: Case }>(`${ONE(id)}/case`, { purpose })).case;
const queue = async (query: string) =>
  await staff.analyst.get<{ 'account-requests': Line[]; counts: Record<string, number> }>(
    `/staff/v1/account-requests?${query}`,
  );

describe('the review of account requests over the staff API', () => {
  it('claim, look for a reason, approve: the sub-account exists and trades', async () => {
    const { id, 'account-id': accountId } = await person();
    expect((await queue('stage=manual-review&assignee=none'))['account-requests'].map((line) => line.id)).toContain(id);
    expect((await decide(staff.analyst, id, 'claim')).body['account-request']).toMatchObject({
      assignee: { name: 'analyst' },
    });
    expect((await queue('assignee=me'))['account-requests'].map((line) => line.id)).toEqual([id]);
    expect(codeOf(await decide(staff['approver-1'], id, 'approve'))).toBe('422 review-claimed');
    const shown = await open(staff.analyst, id);
    expect(shown.holder).toMatchObject({
      erased: false,
      'first-name': CANARY,
      'last-name': 'Xilofonte',
      address: { city: 'São Paulo' },
      'financial-profile': { 'monthly-income': 9200.5 },
    });
    expect(shown.views).toEqual([
      expect.objectContaining({
        staff: expect.objectContaining({ name: 'analyst' }) as object,
        purpose: 'review',
        what: 'case',
      }),
    ]);
    const [file] = shown.files;
    const document = await staff.analyst.send('GET', `${ONE(id)}/files/${file?.id ?? ''}?purpose=review`);
    expect([document.status, document.headers['content-type'], document.headers['content-length']]).toEqual([
      200,
      'image/png',
      String(PNG.length),
    ]);
    expect(
      (await decide(staff.analyst, id, 'approve', { note: 'Documents match' })).body['account-request'],
    ).toMatchObject({ id, status: 'approved' });
    await stands(id, (one) => one.status === 'active');
    const customer = new Customer(partner, accountId);
    await customer.fund('100.00');
    const { order } = (await customer.accept(await customer.quote('60.00'))).body;
    expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
    expect((await open(staff.auditor, id, 'audit'))['staff-notes'].map(({ note }) => note)).toEqual([
      'Documents match',
    ]);
  });

  it('four eyes: an analyst cannot approve it, one approver is not enough, and two are two different ones', async () => {
    const { id } = await person({ 'reward-tier': 97 });
    expect(codeOf(await decide(staff.analyst, id, 'approve'))).toBe('403 role-not-allowed');
    expect((await decide(staff['approver-1'], id, 'approve')).body['account-request']).toMatchObject({
      status: 'pending',
      approvals: 1,
    });
    expect(codeOf(await decide(staff['approver-1'], id, 'approve'))).toBe('422 second-approver-required');
    expect((await open(staff['approver-2'], id, 'second-approval')).approvals).toEqual([
      expect.objectContaining({ name: 'approver-1' }),
    ]);
    expect((await decide(staff['approver-2'], id, 'approve')).body['account-request'].approvals).toBe(2);
    await stands(id, (one) => one.status === 'active');
  });

  it('an escalated case is for approvers; the partner does not learn the full reason for the rejection', async () => {
    const { id } = await person();
    await decide(staff.analyst, id, 'claim');
    expect((await decide(staff.analyst, id, 'escalate', { note: 'A name like one of the list' })).status).toBe(200);
    expect(codeOf(await decide(staff.analyst, id, 'approve'))).toBe('403 role-not-allowed');
    await decide(staff['approver-1'], id, 'claim', { 'take-over': true });
    expect((await queue('escalated=true'))['account-requests'].map((line) => line.id)).toEqual([id]);
    expect((await open(staff['approver-1'], id))['staff-notes'].map(({ note }) => note)).toEqual([
      'A name like one of the list',
    ]);
    expect(
      (await decide(staff['approver-1'], id, 'reject', { reason: 'sanctions' })).body['account-request'].status,
    ).toBe('rejected');
    expect(await stands(id, (one) => one.status === 'rejected')).toMatchObject({ reason: 'compliance' });
    expect(codeOf(await decide(staff['approver-2'], id, 'approve'))).toBe('422 review-not-open');
    const history = (await staff.auditor.get<{ history: Case['history'] }>(`${ONE(id)}/history`)).history;
    expect(history.map(({ type }) => type)).toEqual(
      expect.arrayContaining([
        'account-requested',
        'review-claimed',
        'review-escalated',
        'review-decided',
        'account-request-rejected',
      ]),
    );
    expect(history.find(({ type }) => type === 'review-escalated')?.['actor-name']).toBe('analyst');
    expect(JSON.stringify(history)).not.toContain(CANARY);
  });

  it('what staff ask for the partner sends, and it comes back to them with its note', async () => {
    const { id } = await person();
    const asked = await decide(staff.analyst, id, 'ask-information', {
      items: ['document'],
      issues: ['document-quality'],
    });
    expect(asked.body['account-request']).toMatchObject({
      'review-stage': 'information-requested',
      'information-due-at': expect.any(String) as string,
    });
    expect((await stands(id, (one) => one['review-stage'] === 'information-requested')).requirements.missing).toEqual([
      'document',
    ]);
    await partner.post(`${REQUESTS}/${id}/information`, {
      document: { type: 'cnh', 'front-file-id': await upload() },
      note: 'A sharper photograph',
    });
    await waitsForStaff(id);
    const shown = await open(staff.analyst, id);
    expect([shown.notes.map(({ note }) => note), shown.files.length]).toEqual([['A sharper photograph'], 2]);
    expect((await queue('cause=information-provided'))['account-requests'].map((line) => line.id)).toEqual([id]);
    expect((await decide(staff.analyst, id, 'approve')).status).toBe(200);
  });

  it('hits stand out: the queue finds them, and the case shows what was compared', async () => {
    const { id } = await person({
      'first-name': 'Ezekiel',
      'last-name': 'Tadeu Montalvane Brusk',
      'date-of-birth': '1964-07-05',
    });
    const { 'account-requests': hits } = await queue('cause=screening-hit&status=pending');
    expect(hits.map((line) => [line.id, line.causes.includes('screening-hit')])).toEqual([[id, true]]);
    const shown = (await open(staff.analyst, id)) as Case & {
      screening: { hits: { list: string; 'entry-id': string; match: string; score: number }[] }[];
    };
    expect(shown.screening[0]?.hits[0]).toMatchObject({
      score: expect.any(Number) as number,
      match: expect.stringMatching(/montalvane/i) as string,
    });
    const judge = (who: Client, verdict: string) =>
      Promise.all(
        (shown.screening[0]?.hits ?? []).map(async ({ list, 'entry-id': entry }) =>
          codeOf(
            await decide(who, id, 'verdicts', {
              person: 'holder',
              list,
              'entry-id': entry,
              verdict,
              reason: 'birth-date-differs',
            }),
          ),
        ),
      );
    expect(codeOf(await decide(staff.analyst, id, 'approve'))).toBe('422 screening-verdict-required');
    expect(codeOf(await decide(staff['approver-1'], id, 'approve'))).toBe('422 screening-verdict-required');
    const inSandbox = await partner.send<{ error: { code: string } }>(
      'POST',
      `/api/v1/sandbox/account-requests/${id}/decision`,
      { decision: 'approve' },
    );
    expect(codeOf(inSandbox)).toBe('422 review-by-staff-required');
    expect(new Set(await judge(staff.analyst, 'false-positive'))).toEqual(new Set(['200']));
    expect(codeOf(await decide(staff.analyst, id, 'approve'))).toBe('403 role-not-allowed');
    expect((await decide(staff['approver-1'], id, 'approve')).body['account-request']).toMatchObject({
      status: 'pending',
      approvals: 1,
    });
    expect(codeOf(await decide(staff['approver-1'], id, 'approve'))).toBe('422 second-approver-required');
    expect((await judge(staff['approver-2'], 'true-match'))[0]).toBe('200');
    expect(codeOf(await decide(staff['approver-2'], id, 'approve'))).toBe('422 true-match-found');
    expect(
      (await decide(staff['approver-2'], id, 'reject', { reason: 'sanctions' })).body['account-request'].status,
    ).toBe('rejected');
  });

  it('an operator sees the queue and no person; lets an account use a wallet, which no one else of the staff does', async () => {
    const { id } = await person();
    expect(codeOf(await staff.operator.send('POST', `${ONE(id)}/case`, { purpose: 'support' }))).toBe(
      '403 role-not-allowed',
    );
    const wallets = `/staff/v1/accounts/${running.sandbox['subaccount-id']}/whitelisted-wallets`;
    const address = '0x00000000000000000000000000000000000000b1';
    expect(codeOf(await staff['approver-1'].send('POST', wallets, { address }))).toBe('403 role-not-allowed');
    expect(await staff.operator.post(wallets, { address, fx: true })).toEqual({ wallet: { address, fx: true } });
    expect(await staff.operator.post(wallets, { address })).toEqual({ wallet: { address, fx: true } });
    expect((await staff.operator.get<{ wallets: object[] }>(wallets)).wallets).toContainEqual({ address, fx: true });
    const { staff: members } = await staff.auditor.get<{ staff: { name: string }[] }>('/staff/v1/staff');
    expect(members.map(({ name }) => name).sort()).toEqual(running.sandbox.staff.map(({ name }) => name).sort());
  });
});

describe('a frozen account', () => {
  const at = (accountId: string, path: string) => `/staff/v1/accounts/${accountId}/${path}`;
  const step = (who: Client, accountId: string, path: string, body: Json = {}) =>
    who.send<{ account: { status: string; 'pending-step': string | null }; error?: { code: string } }>(
      'POST',
      at(accountId, path),
      body,
    );
  const statusOf = async (accountId: string) =>
    (await partner.get<{ account: { status: string } }>(`/api/v1/accounts/${accountId}`)).account.status;
  const password = (name: string) => running.sandbox.staff.find((one) => one.name === name)?.password ?? '';

  it('takes two members by route and by verb; its commands are refused, its reads are not, its deposits wait, and after the release everything goes on', async () => {
    const { id, 'account-id': accountId } = await person();
    await decide(staff.analyst, id, 'approve');
    await stands(id, (one) => one.status === 'active');
    const customer = new Customer(partner, accountId);
    await customer.fund('100.00');
    expect(
      (await step(staff.analyst, accountId, 'freeze', { reason: 'sanctions', evidence: 'Ticket 1' })).body.account,
    ).toMatchObject({ status: 'active', 'pending-step': 'freeze' });
    expect(codeOf(await step(staff.analyst, accountId, 'freeze/confirm'))).toBe('403 role-not-allowed');
    expect((await step(staff['approver-1'], accountId, 'freeze/confirm')).body.account.status).toBe('frozen');
    expect(await statusOf(accountId)).toBe('frozen');
    const commands: [string, Json][] = [
      ['quotes', { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '10.00' }],
      ['webhook-endpoints', { url: 'http://127.0.0.1:1/x', 'event-types': ['order-completed'] }],
    ];
    for (const [path, body] of commands)
      expect([path, codeOf(await partner.send('POST', `/api/v1/accounts/${accountId}/${path}`, body))]).toEqual([
        path,
        '403 account-not-active',
      ]);
    await partner.post('/api/v1/sandbox/pix-payments', { 'account-id': accountId, amount: '5.00' });
    const deposits = async () =>
      (
        await partner.get<{ deposits: { status: string }[] }>(`/api/v1/accounts/${accountId}/assets/brl/deposits`)
      ).deposits.map(({ status }) => status);
    await until(async () => expect(await deposits()).toEqual(['confirmed', 'credited']));

    const gateway = async () => ({ baseUrl: running.sandbox['base-url'], token: 'unused' });
    const verb = async (...argv: string[]) => {
      const said: string[] = [];
      const code = await runAdmin(
        argv,
        { gateway, operate: async () => 1 },
        { print: () => undefined, complain: (text) => void said.push(text) },
      );
      return code === 0 ? 'done' : said.join();
    };
    const by = (name: string) => ['--account', accountId, '--as', name, '--password', password(name)];
    expect(
      await verb('account:release', ...by('approver-2'), '--reason', 'resolved', '--evidence', 'Ticket 1, closed'),
    ).toBe('done');
    expect(await verb('account:confirm-release', ...by('approver-2'))).toContain('second-member-required');
    expect(await statusOf(accountId)).toBe('frozen');
    expect(await verb('account:confirm-release', ...by('approver-1'))).toBe('done');
    await until(async () => expect(await deposits()).toEqual(['credited', 'credited']));
    const { order } = (await customer.accept(await customer.quote('60.00'))).body;
    expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
  });
});

describe('privacy over the staff API', () => {
  const prepare = async (id: string) =>
    (
      await staff['approver-1'].post<{
        'erasure-preparation': {
          token: string;
          'confirm-with': string;
          outcome: string;
          'retained-until': string | null;
        };
      }>('/staff/v1/erasures/preparation', { 'account-request-id': id })
    )['erasure-preparation'];
  const confirm = ({ token, 'confirm-with': typed }: { token: string; 'confirm-with': string }) =>
    staff['approver-1'].send<{ erasure: { outcome: string }; error?: { code: string } }>('POST', '/staff/v1/erasures', {
      token,
      typed,
    });
  const report = async (id: string) =>
    (await staff.auditor.get<{ 'privacy-report': Report }>(`${ONE(id)}/privacy-report?purpose=privacy-request`))[
      'privacy-report'
    ];

  it('while the law wants the records, an erasure leaves them to approvers and auditors; the report tells who looked', async () => {
    const { id } = await person();
    await open(staff.analyst, id);
    const prepared = await prepare(id);
    expect(prepared).toMatchObject({
      'confirm-with': `${CANARY} Xilofonte`,
      outcome: 'restricted',
      'retained-until': null,
    });
    expect((await confirm(prepared)).body.erasure.outcome).toBe('restricted');
    expect(codeOf(await staff.analyst.send('POST', `${ONE(id)}/case`, { purpose: 'review' }))).toBe(
      '403 personal-data-restricted',
    );
    expect((await open(staff.auditor, id, 'legal-request')).holder).toMatchObject({ 'first-name': CANARY });
    const reported = await report(id);
    expect(reported).toMatchObject({
      status: 'restricted',
      holdings: expect.arrayContaining([
        expect.objectContaining({ kind: 'account-request' }),
        expect.objectContaining({ kind: 'evidence-file' }),
      ]) as object,
    });
    expect(new Set(reported.views.map(({ staff: { name } }) => name))).toEqual(
      new Set(['analyst', 'approver-1', 'auditor']),
    );
    expect(JSON.stringify(reported)).not.toContain(CANARY);
  });

  it('after the years of the law a confirmed erasure is for good: [erased], and the documents are gone', async () => {
    const { id } = await person();
    const { files } = await open(staff['approver-1'], id);
    await decide(staff['approver-1'], id, 'reject', { reason: 'data-mismatch' });
    const { holdings } = await report(id);
    const end =
      holdings
        .map((one) => one['retained-until'] ?? '')
        .sort()
        .at(-1) ?? '';
    await sandbox.pass(end);
    const prepared = await until(async () => {
      const now = await prepare(id);
      expect(now.outcome).toBe('erased');
      return now;
    });
    expect((await confirm({ ...prepared, 'confirm-with': 'someone else' })).status).toBe(422);
    expect((await confirm(prepared)).body.erasure.outcome).toBe('erased');
    // Another process than the one that erased may have the key in memory for some seconds more.
    await until(async () =>
      expect((await open(staff.auditor, id, 'audit')).holder).toMatchObject({
        erased: true,
        'first-name': '[erased]',
        identifier: { value: '[erased]' },
        address: null,
        pep: null,
        'financial-profile': null,
      }),
    );
    await until(async () => {
      const gone = await staff.auditor.send('GET', `${ONE(id)}/files/${files[0]?.id ?? ''}?purpose=audit`);
      expect(codeOf(gone)).toBe('404 case-file-not-found');
    });
    expect((await report(id)).status).toBe('erased');
    expect(
      codeOf(await staff['approver-1'].send('POST', '/staff/v1/erasures/preparation', { 'account-request-id': id })),
    ).toBe('422 person-erased');
  });
});
