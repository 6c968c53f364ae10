import 'reflect-metadata';
import * as contracts from '@ponte/contracts';
import { CASE_HOLDER } from '../../testing/queue-items';
import { STAFF } from '../../testing/staff-members';
import { PARTNER } from '../../testing/accounts';
import { SAMPLE } from '../../api/samples';
import { codeOf } from '../../testing/use-gateway';
import { as, lastRequest, gateway, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

describe('the privacy routes', () => {
  it('make a report by identifier, which appears in no URL and is sealed for the service', async () => {
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
    expect(JSON.stringify(lastRequest(contracts.OpenPrivacyReport)?.payload)).not.toContain('982');
    expect(codeOf(await as('auditor', `/staff/v1/account-requests/${PARTNER}/privacy-report?purpose=audit`))).toBe(
      '404 person-not-found',
    );
  });

  it('erase in two steps: the preparation shows person and outcome, then the name has to be typed', async () => {
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
    const before = gateway.bus.requestsOf(contracts.ErasePerson).length;
    expect(await erase(token, 'Canaria Souza')).toBe('422 erasure-not-confirmed');
    expect(await erase(token, '')).toBe('422 erasure-not-confirmed');
    expect(await erase(`${token}A`, 'Canária de Souza')).toBe('422 erasure-not-confirmed');
    expect(await erase('nothing', 'Canária de Souza')).toBe('422 erasure-not-confirmed');
    gateway.clock.offset = 600_000;
    expect(await erase(token, 'Canária de Souza')).toBe('422 erasure-not-confirmed');
    gateway.clock.offset = 0;
    expect(gateway.bus.requestsOf(contracts.ErasePerson)).toHaveLength(before);
    expect(await erase(token, ' CANARIA  de souza ')).toBe('200');
    expect(lastRequest(contracts.ErasePerson)?.payload).toMatchObject({
      person: { kind: 'request', requestId: SAMPLE.requestId, person: 'holder' },
      staff: { staffId: STAFF.approver.staffId },
      expected: 'erased',
    });
  });

  it('report and erase a payer without identifier, when the id of the deposit is typed', async () => {
    const [deposit, purpose] = [{ 'deposit-id': SAMPLE.depositId }, 'privacy-request'];
    const person = { kind: 'deposit', depositId: SAMPLE.depositId };
    expect(codeOf(await as('auditor', '/staff/v1/privacy-reports', { ...deposit, purpose }))).toBe('200');
    expect(lastRequest(contracts.OpenPrivacyReport)?.payload).toMatchObject({ person });
    const { 'erasure-preparation': prepared } = (
      await as('approver', '/staff/v1/erasures/preparation', deposit)
    ).json() as { 'erasure-preparation': Record<string, string> };
    expect(prepared['confirm-with']).toBe(SAMPLE.depositId);
    const { token } = prepared;
    expect(codeOf(await as('approver', '/staff/v1/erasures', { token, typed: SAMPLE.depositId }))).toBe('200');
    expect(lastRequest(contracts.ErasePerson)?.payload).toMatchObject({ person });
  });

  it('refuse a person given in two ways, or in none', async () => {
    const identifier = { value: '529.982.247-25', country: 'BRA' };
    const both = { identifier, 'deposit-id': SAMPLE.depositId };
    const request = { 'deposit-id': SAMPLE.depositId, 'account-request-id': SAMPLE.requestId };
    const purpose = 'privacy-request';
    const answers = await Promise.all([
      as('auditor', '/staff/v1/privacy-reports', { ...both, purpose }),
      as('auditor', '/staff/v1/privacy-reports', { purpose }),
      as('approver', '/staff/v1/erasures/preparation', both),
      as('approver', '/staff/v1/erasures/preparation', request),
    ]);
    expect(answers.map(codeOf)).toEqual([
      '400 unknown-field',
      '400 missing-field',
      '400 unknown-field',
      '400 unknown-field',
    ]);
  });

  it('erase by identifier when the number is typed, and require either a request or an identifier', async () => {
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
