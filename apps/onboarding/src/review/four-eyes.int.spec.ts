import * as contracts from '@ponte/contracts';
import type { Environment } from '@ponte/nest';
import type { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { AccountCommands } from '../sandbox/account-commands';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { approveAsRead, decideAsRead } from '../testing/requests';
import {
  ANALYST,
  APPROVER,
  cpfOf,
  openParent,
  OTHER_APPROVER,
  post,
  postReliance,
  requestFor,
} from '../testing/people';
import { NO_QUEUE_FILTERS } from '../testing/queue-filters';

const HIT = { list: 'un-consolidated', entryId: 'QDi.001', score: 100, matchedOn: 'JOANA LIMA' };
const ENTRY = { person: 'holder', list: HIT.list, entryId: HIT.entryId, score: HIT.score } as const;
const open: OnboardingUnderTest[] = [];
afterAll(() => Promise.all(open.map((test) => test.stop())));

/** Starts onboarding with a screening that finds a hit on the UN list, with the score 100, for every person. */
async function start(environment: Environment) {
  const test = await OnboardingUnderTest.start({ environment });
  open.push(test);
  test.vendors.screening.hits = [HIT];
  const parents = { kyc: await openParent(test), reliance: await openParent(test, 'reliance') };
  const code = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'accepted',
      (error: Refusal) => error.code,
    );
  const standing = async (parentId: string, requestId: string) => {
    const record = await test.ask(contracts.GetAccountRequest, { parentId, requestId });
    return record?.reviewStage ?? record?.status;
  };
  const ends = (parentId: string, requestId: string, wanted: string) =>
    eventually(async () => expect(await standing(parentId, requestId)).toBe(wanted));
  const kyc = async (cpf: string, change: Partial<contracts.ClearKycRequest> = {}) =>
    (await post(test, parents.kyc, await requestFor(test, parents.kyc, cpf, change))).request.requestId;
  const approve = (requestId: string, staff: contracts.StaffActor) => approveAsRead(test, requestId, staff);
  const judge = (requestId: string, verdict: contracts.HitVerdict, staff = ANALYST) =>
    test.ask(contracts.JudgeScreeningHit, {
      requestId,
      staff,
      ...ENTRY,
      verdict,
      reason: 'other',
      note: null,
    });
  return { test, parents, code, ends, kyc, approve, judge };
}

const reject = (test: OnboardingUnderTest, requestId: string) =>
  decideAsRead(test, contracts.RejectReview, { requestId, staff: ANALYST, reason: 'sanctions', note: null });

describe('A hit on a sanctions list', () => {
  it('cannot be approved by one analyst, one approver, a sandbox decision, or reliance mode alone', async () => {
    const { test, parents, code, ends, kyc, approve, judge } = await start('sandbox');
    const requestId = await kyc(cpfOf(310_000_001));
    await ends(parents.kyc, requestId, 'manual-review');
    const inSandbox = () =>
      test.ask(contracts.DecideInSandbox, {
        parentId: parents.kyc,
        requestId,
        decision: 'approve',
        reason: null,
        items: [],
      });
    expect([
      await code(approve(requestId, ANALYST)),
      await code(approve(requestId, APPROVER)),
      await code(inSandbox()),
    ]).toEqual(['screening-verdict-required', 'screening-verdict-required', 'review-by-staff-required']);
    await judge(requestId, 'false-positive');
    expect([await code(approve(requestId, ANALYST)), await code(inSandbox())]).toEqual([
      'role-not-allowed',
      'review-by-staff-required',
    ]);
    expect(await approve(requestId, APPROVER)).toMatchObject({ status: 'pending', approvals: 1 });
    expect(await code(approve(requestId, APPROVER))).toBe('second-approver-required');
    await approve(requestId, OTHER_APPROVER);
    await ends(parents.kyc, requestId, 'active');

    const { request } = await postReliance(test, parents.reliance, cpfOf(310_000_002));
    await ends(parents.reliance, request.requestId, 'manual-review');
    await judge(request.requestId, 'false-positive');
    expect(await code(approve(request.requestId, ANALYST))).toBe('role-not-allowed');
  });

  it("can only be rejected after a true match, and the verdict's note is sealed under the person", async () => {
    const { test, parents, code, ends, kyc, approve, judge } = await start('sandbox');
    const requestId = await kyc(cpfOf(310_000_003));
    await ends(parents.kyc, requestId, 'manual-review');
    await test.ask(contracts.JudgeScreeningHit, {
      requestId,
      staff: ANALYST,
      ...ENTRY,
      verdict: 'true-match',
      reason: 'identity-confirmed',
      note: await contracts.sealRequest(test.engines.personalData, { secret: 'The same passport' }),
    });
    const [found] =
      (await test.ask(contracts.OpenReviewCase, { requestId, staff: APPROVER, purpose: 'review', note: null }))
        ?.screening[0]?.hits ?? [];
    expect(await test.engines.personalData.open(found?.verdict?.note as `sealed:v1:${string}`)).toBe(
      'The same passport',
    );
    expect([
      await code(approve(requestId, APPROVER)),
      await code(approve(requestId, OTHER_APPROVER)),
      await code(judge(requestId, 'false-positive', APPROVER)),
    ]).toEqual(['true-match-found', 'true-match-found', 'verdict-final']);
    const { items } = await test.ask(contracts.ListReviewQueue, {
      filters: { ...NO_QUEUE_FILTERS, causes: ['true-match'] },
      order: 'oldest',
      limit: 50,
      cursor: null,
    });
    expect(items.map((item) => item.requestId)).toEqual([requestId]);
    expect(await reject(test, requestId)).toMatchObject({ status: 'rejected' });
  });

  it('keeps operators from opening an account for a person with open or confirmed findings', async () => {
    const { test, parents, code, ends, kyc, judge } = await start('sandbox');
    const cpf = cpfOf(310_000_006);
    const requestId = await kyc(cpf);
    await ends(parents.kyc, requestId, 'manual-review');
    const open = (legalName: string, taxId: string) =>
      new AccountCommands(test.engines, 'admin').openAccount({
        parentId: parents.kyc,
        alias: 'Customer',
        externalId: null,
        onboardingMode: null,
        capabilities: [],
        legalName,
        taxId,
        bankAccount: null,
      });
    expect(await code(open('Joana Lima', cpf))).toBe('review-by-staff-required');
    await judge(requestId, 'true-match');
    await reject(test, requestId);
    expect(await code(open('Joana Lima', cpf))).toBe('review-by-staff-required');
    expect(await code(open('Ana Lima', cpfOf(310_000_007)))).toBe('accepted');
  });

  it('stays a hit of the person under every other partner, even after the list has dropped it, until staff clear it', async () => {
    const { test, parents, code, ends, kyc, approve, judge } = await start('production');
    const cpf = cpfOf(310_000_008);
    const first = await kyc(cpf);
    await ends(parents.kyc, first, 'manual-review');
    test.vendors.screening.hits = [];
    // The hit is open, then confirmed: in reliance mode, no one else would look at the person.
    const { request: open } = await postReliance(test, parents.reliance, cpf);
    await ends(parents.reliance, open.requestId, 'manual-review');
    await judge(first, 'true-match');
    await reject(test, first);
    const other = await openParent(test, 'reliance');
    const { request: confirmed } = await postReliance(test, other, cpf);
    await ends(other, confirmed.requestId, 'manual-review');
    expect(await code(approve(confirmed.requestId, APPROVER))).toBe('screening-verdict-required');

    const cleared = cpfOf(310_000_009);
    test.vendors.screening.hits = [HIT];
    const namesake = await kyc(cleared);
    await ends(parents.kyc, namesake, 'manual-review');
    test.vendors.screening.hits = [];
    await judge(namesake, 'false-positive');
    const { request: free } = await postReliance(test, parents.reliance, cleared);
    await ends(parents.reliance, free.requestId, 'active');
  });

  it('does not change the outcome of a sandbox CPF, which has no special meaning in production', async () => {
    const sandbox = await start('sandbox');
    await sandbox.ends(sandbox.parents.kyc, await sandbox.kyc(cpfOf(900_310_004), { rewardTier: 97 }), 'active');
    const production = await start('production');
    for (const first of [900, 901, 902]) {
      const requestId = await production.kyc(cpfOf(first * 1_000_000 + 310_004));
      await production.ends(production.parents.kyc, requestId, 'manual-review');
      expect(await production.code(production.approve(requestId, ANALYST))).toBe('screening-verdict-required');
      expect(
        await production.code(
          production.test.ask(contracts.DecideInSandbox, {
            parentId: production.parents.kyc,
            requestId,
            decision: 'approve',
            reason: null,
            items: [],
          }),
        ),
      ).toBe('role-not-allowed');
    }
    const { request } = await postReliance(production.test, production.parents.reliance, cpfOf(900_310_005));
    await production.ends(production.parents.reliance, request.requestId, 'manual-review');
  });
});
