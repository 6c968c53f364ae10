import * as contracts from '@ponte/contracts';
import { findingsUnderTest, HIT } from '../testing/findings';
import { APPROVER, openParent, OTHER_APPROVER, postReliance, requestFor, upload } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { approveAsRead, requestsOf, startWithPartner } from '../testing/requests';

let current: WithPartner;
let cpf: string;
let accountId: string;
let subjectRef: string;
beforeEach(async () => {
  // Without rounds: only the verdict can carry the match.
  current = await startWithPartner({ environment: 'production' });
  cpf = nextCpf();
  accountId = await account(cpf);
  subjectRef = current.onboarding.vendors.screening.screened.at(-1)?.subjectRef ?? '';
});
afterEach(() => current.onboarding.stop());

const { nextCpf, made, until } = requestsOf(() => current);
const { account, findings, findingOf, judge, standing } = findingsUnderTest(() => current);

/** The vendor finds the person by what the first account contains, and by nothing else. */
async function found() {
  const { screening } = current.onboarding.vendors;
  jest.spyOn(screening, 'screen').mockResolvedValueOnce({ hits: [HIT] });
  await screening.notify(subjectRef);
  return findingOf(accountId, { status: 'open' });
}

/** An account of the person under another partner, which knows only their number. */
async function relianceAccount() {
  const parentId = await openParent(current.onboarding, 'reliance');
  const { request } = await postReliance(current.onboarding, parentId, cpf);
  await until(request.requestId, 'active', parentId);
  return request.accountId;
}

/** An account of someone else under another partner, whose representative is the person. */
async function representedAccount() {
  const { onboarding } = current;
  const parentId = await openParent(onboarding);
  current = { ...current, parentId };
  const representative = {
    ...(await requestFor(onboarding, parentId, cpf)),
    powerOfAttorneyFileId: await upload(onboarding, parentId, 'power-of-attorney'),
  };
  const request = await made({ representative });
  await until(request.requestId, 'manual-review');
  await approveAsRead(onboarding, request.requestId, APPROVER);
  await approveAsRead(onboarding, request.requestId, OTHER_APPROVER);
  await until(request.requestId, 'active');
  return request.accountId;
}

describe('A true match in a finding about an account', () => {
  it('opens a finding about every other account of the person, which can be frozen for it', async () => {
    const [reliance, represented] = [await relianceAccount(), await representedAccount()];
    const finding = await found();
    expect([await findings({ accountId: reliance }), await findings({ accountId: represented })]).toEqual([[], []]);
    await judge(finding, 'true-match');
    await findingOf(represented, { status: 'open', person: 'representative' });
    const other = await findingOf(reliance, { status: 'open', person: 'holder', version: 1 });
    expect(other.hit).toMatchObject({ list: HIT.list, entryId: HIT.entryId });
    await judge(other, 'true-match', OTHER_APPROVER);
    expect((await standing(reliance))?.pending).toMatchObject({ step: 'freeze', reason: 'sanctions' });
  });

  it('opens none again after two approvers cleared it, and none for a false positive', async () => {
    const reliance = await relianceAccount();
    const doubted = await judge(await found(), 'false-positive');
    await judge(doubted, 'true-match', OTHER_APPROVER);
    const first = await judge(await findingOf(reliance, { status: 'open' }), 'false-positive');
    await judge(first, 'false-positive', OTHER_APPROVER);
    await current.onboarding.vendors.screening.notify(subjectRef);
    await findingOf(reliance, { status: 'cleared', version: 3 });
  });

  it('says nothing to the partners of the other accounts', async () => {
    const reliance = await relianceAccount();
    const finding = await found();
    const seen = () => current.onboarding.ask(contracts.GetAccount, { accountId: reliance });
    const before = await seen();
    await judge(finding, 'true-match');
    await findingOf(reliance, { status: 'open' });
    expect(await seen()).toEqual(before);
  });
});
