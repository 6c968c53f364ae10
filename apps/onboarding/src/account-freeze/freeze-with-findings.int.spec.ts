import * as contracts from '@ponte/contracts';
import { ANALYST, APPROVER, OTHER_APPROVER } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { requestsOf, startWithPartner } from '../testing/requests';
import { code, findingsUnderTest, HIT } from '../testing/findings';

const THIRD_APPROVER: contracts.StaffActor = {
  staffId: '0190b3c4-0000-7000-8000-000000000009',
  roles: ['compliance-approver'],
};

let current: WithPartner;
beforeEach(async () => {
  current = await startWithPartner({ environment: 'production', screenAgainEveryMs: 30 });
});
afterEach(() => current.onboarding.stop());

const { nextCpf } = requestsOf(() => current);
const { account, screenAgain, findingOf, judge, standing } = findingsUnderTest(() => current);

const confirm = (accountId: string, request: number) =>
  code(current.onboarding.ask(contracts.ConfirmAccountFreeze, { accountId, staff: THIRD_APPROVER, request }));

describe('A freeze that a true match requested', () => {
  it('is not confirmed after two approvers cleared the match, unlike a freeze for another reason', async () => {
    const { onboarding } = current;
    const accountId = await account(nextCpf());
    await screenAgain();
    const matched = await judge(await findingOf(accountId, { status: 'open' }), 'true-match');
    const once = await judge(matched, 'false-positive', OTHER_APPROVER);
    expect(await judge(once, 'false-positive')).toMatchObject({ status: 'cleared' });
    expect((await standing(accountId))?.pending).toMatchObject({ request: 1, step: 'freeze', reason: 'sanctions' });
    expect(await confirm(accountId, 1)).toBe('review-changed');
    // Found again, but not judged yet.
    await screenAgain([{ ...HIT, entryVersion: 'v2' }]);
    await findingOf(accountId, { status: 'open' });
    expect(await confirm(accountId, 1)).toBe('review-changed');
    await onboarding.ask(contracts.CloseFreezeRequest, { accountId, staff: THIRD_APPROVER, request: 1 });
    const evidence = await contracts.sealRequest(onboarding.engines.personalData, { secret: 'a court order' });
    await onboarding.ask(contracts.RequestAccountFreeze, {
      ...{ accountId, staff: ANALYST, reason: 'court-order', evidence },
    } as const);
    expect(await confirm(accountId, 2)).toBe('accepted');
    expect((await standing(accountId))?.account.status).toBe('frozen');
  });

  it('is confirmed while only one approver holds the match to be false', async () => {
    const accountId = await account(nextCpf());
    await screenAgain();
    const matched = await judge(await findingOf(accountId, { status: 'open' }), 'true-match', APPROVER);
    await judge(matched, 'false-positive', OTHER_APPROVER);
    expect(await confirm(accountId, 1)).toBe('accepted');
    await findingOf(accountId, { status: 'settled' });
  });
});
