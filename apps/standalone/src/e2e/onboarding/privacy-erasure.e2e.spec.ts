import { codeOf } from '../testing/client';
import { SUITE_MS } from '../testing/program';
import type { SandboxUnderTest } from '../testing/sandbox-under-test';
import { until } from '../testing/waiting';
import type { Report, StaffClients } from './testing/review-under-test';
import { CANARY, ONE, decide, open, ReviewUnderTest } from './testing/review-under-test';

jest.setTimeout(SUITE_MS);

let review: ReviewUnderTest;
let staff: StaffClients;
let sandbox: SandboxUnderTest;
beforeAll(async () => {
  review = await ReviewUnderTest.start();
  ({ staff, sandbox } = review);
});
afterAll(() => review.close());

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

  it('restricts records under legal retention to approvers and auditors, and reports who viewed them', async () => {
    const { id } = await review.person();
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

  it('erases the data and documents permanently after the retention period', async () => {
    const { id } = await review.person();
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
    // A process other than the one that erased may keep the key in memory for a few seconds.
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
