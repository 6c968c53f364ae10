import * as contracts from '@ponte/contracts';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, OPERATOR, OTHER_APPROVER, upload } from '../testing/people';
import { approveAsRead, codes, decideAsRead, requestsOf, startWithPartner } from '../testing/requests';
import { NO_INFORMATION } from '../testing/kyc-request';

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeAll(async () => {
  ({ onboarding, parentId } = await startWithPartner());
});

afterAll(() => onboarding.stop());

const { get, until, waiting } = requestsOf(() => ({ onboarding, parentId }));

const approve = (requestId: string, staff: contracts.StaffActor = ANALYST) =>
  approveAsRead(onboarding, requestId, staff);

const secret = (text: string) => contracts.sealRequest(onboarding.engines.personalData, { secret: text });

describe('Review by compliance', () => {
  it('requires two different approvers for a PEP, a high-risk sector, a representative or tier 97', async () => {
    const pep = { declared: true, fullName: 'Joana Lima', role: 'mayor', relationship: 'self' as const };
    for (const change of [
      { pep },
      { rewardTier: 97 as const },
      {
        financialProfile: {
          sector: 'gambling' as const,
          currency: 'BRL' as const,
          monthlyIncome: 1,
          netWorth: null,
          sourceOfFunds: null,
        },
      },
    ]) {
      const { requestId } = await waiting(change);
      expect(await codes(approve(requestId, ANALYST))).toEqual(['role-not-allowed ']);
      expect(await approve(requestId, APPROVER)).toMatchObject({
        reviewStage: 'manual-review',
        approvals: 1,
        fourEyes: true,
        assignedTo: null,
      });
      expect(await codes(approve(requestId, APPROVER))).toEqual(['second-approver-required id']);
      await approve(requestId, OTHER_APPROVER);
      await until(requestId, 'active');
      expect(await approve(requestId, OTHER_APPROVER)).toMatchObject({ status: 'active' });
    }
  });

  it('is claimed by one staff member, can be taken over by approvers, is for approvers once escalated, and is closed to operators', async () => {
    const { requestId } = await waiting();
    const claim = (staff: contracts.StaffActor, takeOver = false) =>
      onboarding.ask(contracts.ClaimReview, { requestId, staff, takeOver });
    expect(await codes(claim(OPERATOR))).toEqual(['role-not-allowed ']);
    expect((await claim(ANALYST)).assignedTo).toBe(ANALYST.staffId);
    expect(await codes(claim(APPROVER))).toEqual(['review-claimed id']);
    expect(await codes(approve(requestId, APPROVER))).toEqual(['review-claimed id']);
    expect((await claim(APPROVER, true)).assignedTo).toBe(APPROVER.staffId);
    expect(await codes(claim(ANALYST, true))).toEqual(['review-claimed id']);
    expect(
      (
        await decideAsRead(onboarding, contracts.EscalateReview, {
          requestId,
          staff: APPROVER,
          note: await secret('see the note'),
        })
      ).escalated,
    ).toBe(true);
    expect(await codes(approve(requestId, ANALYST))).toEqual(['role-not-allowed ']);
    expect(
      await codes(
        decideAsRead(onboarding, contracts.RejectReview, {
          requestId,
          staff: APPROVER,
          reason: 'nonsense' as never,
          note: null,
        }),
      ),
    ).toEqual(['invalid-enum-value reason']);
    await decideAsRead(onboarding, contracts.RejectReview, {
      requestId,
      staff: APPROVER,
      reason: 'sanctions',
      note: null,
    });
    const record = await get(requestId);
    expect(record).toMatchObject({
      status: 'rejected',
      reason: 'compliance',
      requirements: { issues: ['compliance'] },
    });
    expect(JSON.stringify(record)).not.toContain('sanctions');
    expect(await codes(approve(requestId, APPROVER))).toEqual(['review-not-open id']);
  });

  it('can request information, which is checked by the same rules and screened again', async () => {
    const { requestId } = await waiting();
    await decideAsRead(onboarding, contracts.AskInformation, {
      requestId,
      staff: ANALYST,
      items: ['document', 'address'],
      issues: ['document-quality'],
      note: null,
    });
    const requested = await get(requestId);
    expect(requested).toMatchObject({
      reviewStage: 'information-requested',
      requirements: { missing: ['document', 'address'], issues: ['document-quality'] },
    });
    const send = async (change: Partial<contracts.ClearInformation>) =>
      onboarding.ask(contracts.ProvideInformation, {
        parentId,
        requestId,
        body: await contracts.sealRequest(onboarding.engines.personalData, {
          ...NO_INFORMATION,
          ...change,
        }),
      });
    expect(await codes(send({}))).toEqual(['missing-field ']);
    expect(
      await codes(
        send({ document: { type: 'rg', frontFileId: 'ev_NONE', backFileId: null }, powerOfAttorneyFileId: 'ev_NONE' }),
      ),
    ).toEqual([
      'back-file-required document.back-file-id',
      'unknown-field power-of-attorney-file-id',
      'file-not-found document.front-file-id',
      'file-not-found power-of-attorney-file-id',
    ]);
    const file = await upload(onboarding, parentId);
    const part = await send({
      document: { type: 'cnh', frontFileId: file, backFileId: null },
      note: 'a better picture',
    });
    expect(part).toMatchObject({
      reviewStage: 'information-requested',
      informationDueAt: requested?.informationDueAt,
      requirements: { pending: ['document'], missing: ['address'], issues: ['document-quality'] },
    });
    const address = { postalCode: '01310-100', line1: 'Rua A 1', line2: '', city: 'São Paulo', state: 'SP' };
    expect(await send({ address: { ...address, country: 'BRA' } })).toMatchObject({ reviewStage: 'screening' });
    expect(await codes(send({ note: 'again' }))).toEqual(['information-not-requested id']);
    await until(requestId, 'manual-review');
    const reviewed = await onboarding.ask(contracts.OpenReviewCase, {
      requestId,
      staff: ANALYST,
      purpose: 'review',
      note: null,
    });
    expect(reviewed?.item.causes).toContain('information-provided');
    expect(reviewed?.files.map(({ fileId }) => fileId)).toContain(file);
    expect(
      await Promise.all((reviewed?.notes ?? []).map(({ note }) => onboarding.engines.personalData.open(note))),
    ).toEqual(['a better picture']);
  });
});
