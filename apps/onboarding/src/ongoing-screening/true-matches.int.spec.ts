import * as contracts from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { ANALYST, APPROVER, openParent, OTHER_APPROVER, postReliance } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { approveAsRead, requestsOf, startWithPartner } from '../testing/requests';
import { code, findingsUnderTest, HIT } from '../testing/findings';

let current: WithPartner;
let first: string;
let other: string;
let cpf: string;
beforeEach(async () => {
  // Without rounds: only the verdict can carry the match.
  current = await startWithPartner({ environment: 'production' });
  first = current.parentId;
  other = await openParent(current.onboarding);
  cpf = nextCpf();
});
afterEach(() => current.onboarding.stop());

const { nextCpf, made, until } = requestsOf(() => current);
const { account, findings, findingOf } = findingsUnderTest(() => current);

const judged = (requestId: string, verdict: contracts.HitVerdict) =>
  current.onboarding.ask(contracts.JudgeScreeningHit, {
    ...{ requestId, staff: ANALYST, person: 'holder', list: HIT.list, entryId: HIT.entryId, score: HIT.score },
    ...{ entryVersion: HIT.entryVersion, verdict, reason: 'other', note: null },
  } as const);

/** A request under the other parent, in which screening finds the person and staff confirm it. */
async function trueMatch() {
  current = { ...current, parentId: other };
  current.onboarding.vendors.screening.hits = [HIT];
  const { requestId } = await made({}, cpf);
  await until(requestId, 'manual-review');
  current.onboarding.vendors.screening.hits = [];
  await judged(requestId, 'true-match');
}

describe('A true match in a request', () => {
  it('opens a finding about an account of the person under another parent, which has only a number', async () => {
    const reliance = await openParent(current.onboarding, 'reliance');
    const { request } = await postReliance(current.onboarding, reliance, cpf);
    await until(request.requestId, 'active', reliance);
    await trueMatch();
    const { hit } = await findingOf(request.accountId, { status: 'open', version: 1, person: 'holder' });
    expect(hit).toMatchObject({ list: HIT.list, entryId: HIT.entryId });
    expect(await current.onboarding.engines.personalData.open(hit.match)).toBe(HIT.matchedOn);
  });

  it('opens a finding even if the request of the account has a false positive on the entry', async () => {
    current.onboarding.vendors.screening.hits = [HIT];
    const { requestId, accountId } = await made({}, cpf);
    await until(requestId, 'manual-review');
    await judged(requestId, 'false-positive');
    await approveAsRead(current.onboarding, requestId, APPROVER);
    await approveAsRead(current.onboarding, requestId, OTHER_APPROVER);
    await until(requestId, 'active');
    expect(await findings({ accountId })).toEqual([]);
    await trueMatch();
    await findingOf(accountId, { status: 'open' });
  });

  it('reaches another pending request of the person, whose case then has to be read again', async () => {
    const { requestId } = await made({}, cpf);
    await until(requestId, 'manual-review', first);
    const read = await current.onboarding.ask(contracts.GetReviewHistory, { requestId });
    await trueMatch();
    await eventually(async () =>
      expect((await current.onboarding.events()).map(({ type, data }) => ({ type, data }))).toContainEqual({
        type: 'ScreeningRepeated',
        data: expect.objectContaining({ requestId, person: 'holder', hits: [expect.objectContaining({ score: 100 })] }),
      }),
    );
    const approval = { requestId, staff: APPROVER, note: null, version: read?.item.version ?? 0 };
    expect(await code(current.onboarding.ask(contracts.ApproveReview, approval))).toBe('screening-verdict-required');
  });

  it('says nothing to the partners of the other cases', async () => {
    const accountId = await account(cpf);
    const before = await current.onboarding.ask(contracts.GetAccount, { accountId });
    await trueMatch();
    await findingOf(accountId);
    expect(await current.onboarding.ask(contracts.GetAccount, { accountId })).toEqual(before);
  });
});
