import * as contracts from '@ponte/contracts';
import { closingOf } from '../account-closing/closing.testing';
import { ANALYST, OTHER_APPROVER } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { requestsOf, startWithPartner } from '../testing/requests';
import { code, findingsUnderTest, HIT } from '../testing/findings';

let current: WithPartner;
beforeEach(async () => {
  current = await startWithPartner({ environment: 'production', screenAgainEveryMs: 30 });
});
afterEach(() => current.onboarding.stop());

const { nextCpf } = requestsOf(() => current);
const { evidence } = closingOf(() => current.onboarding);
const { account, screenAgain, findingOf, judge, standing } = findingsUnderTest(() => current);

/** Freezes the account for another reason, and requests its release. Returns how its confirmation ends. */
async function releaseOf(accountId: string) {
  const of = async () => ({ accountId, staff: ANALYST, evidence: await evidence() }) as const;
  const { onboarding } = current;
  await onboarding.ask(contracts.RequestAccountRelease, { ...(await of()), reason: 'resolved' });
  const request = (await standing(accountId))?.pending?.request ?? 0;
  return () => code(onboarding.ask(contracts.ConfirmAccountRelease, { accountId, staff: OTHER_APPROVER, request }));
}

describe('A finding about an account that is frozen for another reason', () => {
  it.each([
    ['open', 'review-open'],
    ['sanctioned', 'review-open'],
    ['pep', 'accepted'],
  ] as const)('%s: the release is %s', async (kind, outcome) => {
    const accountId = await account(nextCpf());
    const frozen = { accountId, reason: 'pix-taken-back', evidence: 'deposit 1' } as const;
    await current.onboarding.ask(contracts.FreezeAccountAutomatically, frozen);
    await screenAgain([{ ...HIT, list: kind === 'pep' ? 'pep' : HIT.list }]);
    const finding = await findingOf(accountId, { status: 'open' });
    if (kind !== 'open') {
      await judge(finding, 'true-match');
      // The true match requested a freeze, which is decided before a release can be requested.
      expect((await standing(accountId))?.pending).toMatchObject({ request: 1, step: 'freeze' });
      await current.onboarding.ask(contracts.CloseFreezeRequest, { accountId, staff: OTHER_APPROVER, request: 1 });
    }
    expect(await (await releaseOf(accountId))()).toBe(outcome);
  });

  it('keeps the freeze that its true match requested before the system froze the account', async () => {
    const { onboarding } = current;
    const accountId = await account(nextCpf());
    await screenAgain([{ ...HIT, list: 'pep' }]);
    await judge(await findingOf(accountId, { status: 'open' }), 'true-match');
    await onboarding.ask(contracts.FreezeAccountAutomatically, {
      ...{ accountId, reason: 'pix-taken-back', evidence: 'deposit 1' },
    } as const);
    expect(await standing(accountId)).toMatchObject({
      ...{ account: { status: 'frozen' }, pending: { request: 1, step: 'freeze', reason: 'compliance' } },
    });
    const release = { accountId, staff: ANALYST, reason: 'loss-recovered', evidence: await evidence() } as const;
    expect(await code(onboarding.ask(contracts.RequestAccountRelease, release))).toBe('freeze-step-pending');
    await onboarding.ask(contracts.ConfirmAccountFreeze, { accountId, staff: OTHER_APPROVER, request: 1 });
    await findingOf(accountId, { status: 'settled' });
  });

  it('no longer stops the release after two approvers cleared it', async () => {
    const accountId = await account(nextCpf());
    const frozen = { accountId, reason: 'pix-taken-back', evidence: 'deposit 1' } as const;
    await current.onboarding.ask(contracts.FreezeAccountAutomatically, frozen);
    await screenAgain();
    const confirm = await releaseOf(accountId);
    const first = await judge(await findingOf(accountId), 'false-positive');
    expect(await confirm()).toBe('review-open');
    await judge(first, 'false-positive', OTHER_APPROVER);
    expect(await confirm()).toBe('accepted');
  });
});

describe('A finding for which the account was frozen', () => {
  it.each([
    [HIT.list, 'review-open'],
    ['pep', 'accepted'],
  ])('on the list %s: the release is %s', async (list, outcome) => {
    const { onboarding } = current;
    const accountId = await account(nextCpf());
    await screenAgain([{ ...HIT, list }]);
    await judge(await findingOf(accountId, { status: 'open' }), 'true-match');
    await onboarding.ask(contracts.ConfirmAccountFreeze, { accountId, staff: OTHER_APPROVER, request: 1 });
    const settled = await findingOf(accountId, { status: 'settled' });
    const confirm = await releaseOf(accountId);
    expect(await confirm()).toBe(outcome);
    if (outcome === 'accepted') return;
    const doubted = await judge(settled, 'false-positive');
    expect(doubted).toMatchObject({ status: 'settled' });
    expect(await confirm()).toBe('review-open');
    expect(await judge(doubted, 'false-positive', OTHER_APPROVER)).toMatchObject({ status: 'cleared' });
    expect(await confirm()).toBe('accepted');
  });
});
