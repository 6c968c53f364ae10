import { JudgeScreeningFinding, openInTransit, SearchScreeningFindings } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { SAMPLE } from '../../api/samples';
import { as, lastRequest, gateway, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

const FINDINGS = '/staff/v1/screening-findings';
const ONE = `${FINDINGS}/${SAMPLE.quoteId}`;

describe('Screening findings', () => {
  it('are listed without what was compared and without notes', async () => {
    const answer = await as('operator', FINDINGS);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).not.toContain('Canary');
    expect(answer.json()).toMatchObject({ 'screening-findings': [{ version: 2, list: 'un-consolidated' }] });
    await as('operator', `${FINDINGS}?status=settled&account-id=${SAMPLE.accountId}`);
    expect(lastRequest(SearchScreeningFindings)?.payload).toMatchObject({
      filters: { accountId: SAMPLE.accountId, status: 'settled', list: null },
    });
    await as('operator', `${FINDINGS}?list=un-consolidated`);
    expect(lastRequest(SearchScreeningFindings)?.payload).toMatchObject({
      filters: { accountId: null, status: null, list: 'un-consolidated' },
    });
    expect((await as('operator', `${FINDINGS}?list=`)).statusCode).toBe(400);
  });

  it('show what was compared and the notes to viewers, for a purpose', async () => {
    const answer = await as('auditor', `${ONE}/open`, { purpose: 'audit' });
    expect(answer.json()).toMatchObject({
      'screening-finding': { match: 'Canary match', verdicts: [{ note: 'Canary note' }] },
    });
    expect((await as('auditor', `${ONE}/open`, {})).statusCode).toBe(400);
    expect((await as('operator', `${ONE}/open`, { purpose: 'audit' })).statusCode).toBe(403);
    expect((await as('auditor', `${FINDINGS}/${SAMPLE.orderId}/open`, { purpose: 'audit' })).statusCode).toBe(404);
  });

  it('are judged by approvers on the version that they have read, with a sealed note', async () => {
    const verdict = { version: 2, verdict: 'true-match', reason: 'identity-confirmed', note: 'Canary reason' };
    expect((await as('analyst', `${ONE}/verdict`, verdict)).statusCode).toBe(403);
    const answer = await as('approver', `${ONE}/verdict`, verdict);
    expect([answer.statusCode, answer.body.includes('Canary')]).toEqual([200, false]);
    const sent = lastRequest(JudgeScreeningFinding)?.payload as { note: Sealed; version: number };
    expect(sent).toMatchObject({ version: 2, verdict: 'true-match', reason: 'identity-confirmed' });
    expect(JSON.stringify(sent)).not.toContain('Canary');
    expect(await openInTransit(gateway.engines.personalData, sent.note)).toEqual({ secret: 'Canary reason' });
  });
});
