import { codeOf } from '../testing/client';
import type { Client } from '../testing/client';
import { Customer } from '../testing/customer';
import type { Running } from '../testing/program';
import { SUITE_MS } from '../testing/program';
import type { Case, StaffClients } from './testing/review-under-test';
import { PNG, REQUESTS, CANARY, ONE, approve, decide, open, ReviewUnderTest } from './testing/review-under-test';

jest.setTimeout(SUITE_MS);

let review: ReviewUnderTest;
let partner: Client;
let staff: StaffClients;
let running: Running;
beforeAll(async () => {
  review = await ReviewUnderTest.start();
  ({ partner, staff, running } = review);
});
afterAll(() => review.close());

describe('the review of account requests over the staff API', () => {
  it('claims, views and approves a request, after which the sub-account can trade', async () => {
    const { id, 'account-id': accountId } = await review.person();
    expect(
      (await review.queue('stage=manual-review&assignee=none'))['account-requests'].map((line) => line.id),
    ).toContain(id);
    expect((await decide(staff.analyst, id, 'claim')).body['account-request']).toMatchObject({
      assignee: { name: 'analyst' },
    });
    expect((await review.queue('assignee=me'))['account-requests'].map((line) => line.id)).toEqual([id]);
    expect(codeOf(await approve(staff['approver-1'], id))).toBe('422 review-claimed');
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
    const approved = (await approve(staff.analyst, id, { note: 'Documents match' })).body['account-request'];
    expect(approved).toMatchObject({ id, status: 'approved' });
    await review.stands(id, (one) => one.status === 'active');
    const customer = new Customer(partner, accountId);
    await customer.fund('100.00');
    const { order } = (await customer.accept(await customer.quote('60.00'))).body;
    expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
    expect((await open(staff.auditor, id, 'audit'))['staff-notes'].map(({ note }) => note)).toEqual([
      'Documents match',
    ]);
  });

  it('requires two different approvers for four eyes and no analyst', async () => {
    const { id } = await review.person({ 'reward-tier': 97 });
    expect(codeOf(await approve(staff.analyst, id))).toBe('403 role-not-allowed');
    const first = (await approve(staff['approver-1'], id)).body['account-request'];
    expect(first).toMatchObject({ status: 'pending', approvals: 1 });
    expect(codeOf(await approve(staff['approver-1'], id))).toBe('422 second-approver-required');
    expect((await open(staff['approver-2'], id, 'second-approval')).approvals).toEqual([
      expect.objectContaining({ name: 'approver-1' }),
    ]);
    expect((await approve(staff['approver-2'], id)).body['account-request'].approvals).toBe(2);
    await review.stands(id, (one) => one.status === 'active');
  });

  it('leaves an escalated case to approvers and hides the full reason for a rejection from the partner', async () => {
    const { id } = await review.person();
    await decide(staff.analyst, id, 'claim');
    expect((await decide(staff.analyst, id, 'escalate', { note: 'A name like one of the list' })).status).toBe(200);
    expect(codeOf(await approve(staff.analyst, id))).toBe('403 role-not-allowed');
    await decide(staff['approver-1'], id, 'claim', { 'take-over': true });
    expect((await review.queue('escalated=true'))['account-requests'].map((line) => line.id)).toEqual([id]);
    expect((await open(staff['approver-1'], id))['staff-notes'].map(({ note }) => note)).toEqual([
      'A name like one of the list',
    ]);
    expect(
      (await decide(staff['approver-1'], id, 'reject', { reason: 'sanctions' })).body['account-request'].status,
    ).toBe('rejected');
    expect(await review.stands(id, (one) => one.status === 'rejected')).toMatchObject({ reason: 'compliance' });
    expect(codeOf(await approve(staff['approver-2'], id))).toBe('422 review-not-open');
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

  it('returns a request to staff with the information that they requested from the partner', async () => {
    const { id } = await review.person();
    const requested = await decide(staff.analyst, id, 'ask-information', {
      items: ['document', 'source-of-funds'],
      issues: ['document-quality'],
    });
    expect(requested.body['account-request']).toMatchObject({ 'information-due-at': expect.any(String) as string });
    const waiting = await review.stands(id, (one) => one['review-stage'] === 'information-requested');
    expect(waiting.requirements.missing).toEqual(['document', 'source-of-funds']);
    const information = `${REQUESTS}/${id}/information`;
    const part = await partner.post<{ 'account-request': object }>(information, {
      document: { type: 'cnh', 'front-file-id': await review.upload() },
      note: 'A sharper photograph',
    });
    const requirements = { pending: ['document'], missing: ['source-of-funds'], issues: ['document-quality'] };
    expect(part['account-request']).toMatchObject({ requirements });
    await partner.post(information, { 'other-file-ids': [await review.upload()] });
    await review.waitsForStaff(id);
    const shown = await open(staff.analyst, id);
    expect([shown.notes.map(({ note }) => note), shown.files.length]).toEqual([['A sharper photograph'], 3]);
    expect((await review.queue('cause=information-provided'))['account-requests'].map((line) => line.id)).toEqual([id]);
    expect((await approve(staff.analyst, id)).status).toBe(200);
  });

  it('finds requests with hits in the queue and requires a verdict on each hit', async () => {
    const { id } = await review.person({
      'first-name': 'Ezekiel',
      'last-name': 'Tadeu Montalvane Brusk',
      'date-of-birth': '1964-07-05',
    });
    const { 'account-requests': hits } = await review.queue('cause=screening-hit&status=pending');
    expect(hits.map((line) => [line.id, line.causes.includes('screening-hit')])).toEqual([[id, true]]);
    const shown = (await open(staff.analyst, id)) as Case & {
      screening: {
        hits: (Record<'list' | 'entry-id' | 'match', string> & { 'entry-version': unknown; score: number })[];
      }[];
    };
    expect(shown.screening[0]?.hits[0]).toMatchObject({
      score: expect.any(Number) as number,
      match: expect.stringMatching(/montalvane/i) as string,
    });
    const judge = (who: Client, verdict: string) =>
      Promise.all(
        (shown.screening[0]?.hits ?? []).map(async ({ list, 'entry-id': entry, 'entry-version': version, score }) =>
          codeOf(
            await decide(who, id, 'verdicts', {
              ...{ person: 'holder', list, 'entry-id': entry, score, 'entry-version': version },
              verdict,
              reason: 'birth-date-differs',
            }),
          ),
        ),
      );
    expect(codeOf(await approve(staff.analyst, id))).toBe('422 screening-verdict-required');
    expect(codeOf(await approve(staff['approver-1'], id))).toBe('422 screening-verdict-required');
    const inSandbox = await partner.send<{ error: { code: string } }>(
      'POST',
      `/api/v1/sandbox/account-requests/${id}/decision`,
      { decision: 'approve' },
    );
    expect(codeOf(inSandbox)).toBe('422 review-by-staff-required');
    expect(new Set(await judge(staff.analyst, 'false-positive'))).toEqual(new Set(['200']));
    expect(codeOf(await approve(staff.analyst, id))).toBe('403 role-not-allowed');
    expect((await approve(staff['approver-1'], id)).body['account-request']).toMatchObject({
      status: 'pending',
      approvals: 1,
    });
    expect(codeOf(await approve(staff['approver-1'], id))).toBe('422 second-approver-required');
    expect((await judge(staff['approver-2'], 'true-match'))[0]).toBe('200');
    expect(codeOf(await approve(staff['approver-2'], id))).toBe('422 true-match-found');
    expect(
      (await decide(staff['approver-2'], id, 'reject', { reason: 'sanctions' })).body['account-request'].status,
    ).toBe('rejected');
  });

  it('shows an operator no personal data and lets only operators whitelist wallets', async () => {
    const { id } = await review.person();
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
