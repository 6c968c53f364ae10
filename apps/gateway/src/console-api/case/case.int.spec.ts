import 'reflect-metadata';
import * as contracts from '@ponte/contracts';
import { CASE_FILE } from '../../testing/queue-items';
import { STAFF } from '../../testing/staff-members';
import { SAMPLE } from '../../api/samples';
import { codeOf } from '../../testing/use-gateway';
import { ONE, as, lastRequest, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

describe('the case of an account request', () => {
  it('is opened for a purpose and shows the person, and its history contains only listed fields', async () => {
    const answer = await as('auditor', `${ONE}/case`, { purpose: 'audit' });
    expect(lastRequest(contracts.OpenReviewCase)?.payload).toEqual({
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

  it('shows a document as bytes of its own type, which no browser runs or caches', async () => {
    const answer = await as('analyst', `${ONE}/files/${CASE_FILE}?purpose=second-approval`);
    expect(answer.rawPayload.equals(Buffer.from('\x89PNG'))).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="${CASE_FILE}.png"`,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(lastRequest(contracts.OpenReviewFile)?.payload).toMatchObject({
      fileId: CASE_FILE,
      purpose: 'second-approval',
    });
    for (const file of ['ev_01JD3F8M2K7Q9X4T6V8Z0A63B9', 'x', '..%2f..%2fstaff-token'])
      expect(codeOf(await as('analyst', `${ONE}/files/${file}?purpose=review`))).toBe('404 case-file-not-found');
    expect(codeOf(await as('analyst', `${ONE}/files/${CASE_FILE}`))).toBe('400 missing-field');
  });
});
