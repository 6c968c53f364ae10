import 'reflect-metadata';
import * as contracts from '@ponte/contracts';
import { openInTransit } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { STAFF } from '../../testing/staff-members';
import { PARTNER } from '../../testing/accounts';
import { SAMPLE } from '../../api/samples';
import { codeOf } from '../../testing/use-gateway';
import { ONE, as, lastRequest, gateway, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

describe('the request to onboarding', () => {
  it('for the queue has the filters, with `me` and hours resolved, and a cursor bound to all of them', async () => {
    const now = Date.now();
    const url = `/staff/v1/account-requests?status=pending&status=approved&stage=screening,manual-review&assignee=me&partner=${PARTNER}&cause=screening-hit&escalated=false&older-than-hours=48&created-from=2026-01-01T00:00:00Z&limit=7`;
    const answer = await as('analyst', url);
    const { payload, context } = lastRequest(contracts.ListReviewQueue) ?? {};
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
    expect(lastRequest(contracts.ListReviewQueue)?.payload).toMatchObject({ cursor: { id: SAMPLE.requestId } });
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
    expect(lastRequest(contracts.ListReviewQueue)?.payload).toMatchObject({
      filters: { assignedTo: 'none', statuses: [], stages: [], causes: [] },
    });
  });

  it('for a decision contains the staff member, the roles and a sealed note', async () => {
    await as('analyst', `${ONE}/claim`, {});
    expect(lastRequest(contracts.ClaimReview)?.payload).toEqual({
      requestId: SAMPLE.requestId,
      staff: { staffId: STAFF.analyst.staffId, roles: ['compliance-analyst'] },
      takeOver: false,
    });
    await as('analyst', `${ONE}/ask-information`, {
      version: 7,
      items: ['address', 'other'],
      issues: ['data-mismatch'],
      note: 'Canary note',
    });
    const { payload } = lastRequest(contracts.AskInformation) ?? {};
    expect(payload).toMatchObject({ version: 7, items: ['address', 'other'], issues: ['data-mismatch'] });
    expect(JSON.stringify(payload)).not.toContain('Canary');
    expect(await openInTransit(gateway.engines.personalData, payload?.['note'] as Sealed)).toEqual({
      secret: 'Canary note',
    });
    await as('approver', `${ONE}/reject`, { version: 7, reason: 'sanctions' });
    expect(lastRequest(contracts.RejectReview)?.payload).toMatchObject({ version: 7, reason: 'sanctions', note: null });
    await as('approver', `${ONE}/escalate`, { version: 7 });
    expect(lastRequest(contracts.EscalateReview)?.payload).toMatchObject({ version: 7, note: null });
    expect(codeOf(await as('approver', `/staff/v1/account-requests/${PARTNER}/approve`, { version: 7 }))).toBe(
      '404 account-request-not-found',
    );
  });

  it('for an approval contains the version of the case that was read, which the case shows', async () => {
    const opened = (await as('approver', `${ONE}/case`, { purpose: 'review' })).json() as {
      case: { item: { version: number } };
    };
    expect(opened.case.item.version).toBe(7);
    await as('approver', `${ONE}/approve`, { version: 7 });
    expect(lastRequest(contracts.ApproveReview)?.payload).toMatchObject({ requestId: SAMPLE.requestId, version: 7 });
    expect(codeOf(await as('approver', `${ONE}/approve`, { note: 'Looks fine' }))).toBe('400 missing-field');
    expect(codeOf(await as('approver', `${ONE}/approve`, { version: 'latest' }))).toBe('400 invalid-type');
  });

  it('for a verdict contains the hit and a sealed note, which the case shows in clear', async () => {
    await as('analyst', `${ONE}/verdicts`, {
      person: 'holder',
      list: 'pep',
      'entry-id': 'p1',
      score: 91,
      'entry-version': 'v1',
      verdict: 'true-match',
      reason: 'identity-confirmed',
      note: 'Canary verdict',
    });
    const { payload } = lastRequest(contracts.JudgeScreeningHit) ?? {};
    expect(payload).toMatchObject({
      requestId: SAMPLE.requestId,
      staff: { staffId: STAFF.analyst.staffId },
      person: 'holder',
      list: 'pep',
      entryId: 'p1',
      score: 91,
      entryVersion: 'v1',
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
      'account-request': { id: SAMPLE.requestId, version: 7 },
      checklist: [{ check: 'rule-4' }],
      approvals: [{ name: 'approver' }],
    });
  });
});
