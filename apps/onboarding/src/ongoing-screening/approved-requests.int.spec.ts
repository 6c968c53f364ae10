import * as contracts from '@ponte/contracts';
import { eventually, MemoryEventStore } from '@ponte/testing';
import { closingOf } from '../account-closing/closing.testing';
import { findingsUnderTest, HIT } from '../testing/findings';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, openParent } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { approveAsRead, requestsOf, startWithPartner } from '../testing/requests';

const MINUTE_MS = 60_000;

let current: WithPartner;
let store: MemoryEventStore;
let cpf: string;
const options = { environment: 'production', screenAgainEveryMs: 30, dueEveryMs: 20 } as const;
beforeEach(async () => {
  store = new MemoryEventStore();
  current = await startWithPartner({ ...options, store });
  cpf = nextCpf();
  const { screening } = current.onboarding.vendors;
  const search = screening.screen.bind(screening);
  // A finding about the partner would stop the release of its account.
  jest
    .spyOn(screening, 'screen')
    .mockImplementation(async (subject) => (subject.names.includes('Acme SA') ? { hits: [] } : search(subject)));
});
afterEach(() => current.onboarding.stop());

const { nextCpf, made, until } = requestsOf(() => current);
const { screenAgain, findings, findingOf, judge, standing } = findingsUnderTest(() => current);
const { evidence, freeze } = closingOf(() => current.onboarding);

const inReview = async () => until((await made({}, cpf)).requestId, 'manual-review');

async function release(accountId: string): Promise<void> {
  const request = { accountId, staff: ANALYST, reason: 'resolved', evidence: await evidence() } as const;
  const { pending } = await current.onboarding.ask(contracts.RequestAccountRelease, request);
  const confirmation = { accountId, staff: APPROVER, request: pending?.request ?? 0 };
  await current.onboarding.ask(contracts.ConfirmAccountRelease, confirmation);
}

/** An approved request whose account cannot be opened, because the account of the partner is frozen. */
async function unopened() {
  const { requestId, accountId } = await inReview();
  await freeze(current.parentId);
  await approveAsRead(current.onboarding, requestId, APPROVER);
  await until(requestId, 'provisioning-failed');
  return { requestId, accountId };
}

describe('A request that is approved and has no open account yet', () => {
  it('is screened by every round, and the freeze for a true match is requested as soon as the account is open', async () => {
    const { requestId, accountId } = await unopened();
    await screenAgain();
    const finding = await findingOf(accountId, { status: 'open', person: 'holder' });
    expect(await judge(finding, 'true-match')).toMatchObject({ status: 'matched', freezeRequestedAt: null });
    await release(current.parentId);
    current.onboarding.advance(MINUTE_MS);
    await until(requestId, 'active');
    await eventually(async () =>
      expect((await standing(accountId))?.pending).toMatchObject({ step: 'freeze', reason: 'sanctions' }),
    );
  });

  it('is screened if it was approved while the round searched for its people', async () => {
    const { requestId, accountId } = await inReview();
    await freeze(current.parentId);
    const { screening } = current.onboarding.vendors;
    const search = screening.screen.bind(screening);
    jest.spyOn(screening, 'screen').mockImplementationOnce(async (subject) => {
      const result = await search(subject);
      await approveAsRead(current.onboarding, requestId, APPROVER);
      await until(requestId, 'provisioning-failed');
      return result;
    });
    await screenAgain();
    await findingOf(accountId, { status: 'open' });
    expect((await current.onboarding.events()).map(({ type }) => type)).not.toContain('ScreeningRepeated');
  });

  it('is screened after a crash between the approval and the opening', async () => {
    const { requestId, accountId } = await inReview();
    const { struck } = store.faults.next({
      kind: 'crash-after-append',
      match: (_stream, events) => events.some(({ type }) => type === 'AccountRequestApproved'),
    });
    await Promise.all([struck, approveAsRead(current.onboarding, requestId, APPROVER).catch(() => undefined)]);
    const { folder, vendors } = current.onboarding;
    await current.onboarding.stop(true).catch(() => undefined);
    const reopened = new MemoryEventStore({ log: store.log });
    reopened.faults.next({
      kind: 'refuse',
      match: (_stream, events) => events.some(({ type }) => type === 'AccountOpened'),
    });
    const onboarding = await OnboardingUnderTest.start({ ...options, store: reopened, folder, vendors });
    current = { ...current, onboarding };
    await until(requestId, 'provisioning-failed');
    await screenAgain();
    await findingOf(accountId, { status: 'open' });
    current.onboarding.advance(MINUTE_MS);
    await until(requestId, 'active');
    await screenAgain();
    expect(await findings({ accountId })).toHaveLength(1);
  });

  it('learns at once of a true match in another request of the person', async () => {
    const other = await openParent(current.onboarding);
    const { accountId } = await unopened();
    current = { ...current, parentId: other };
    current.onboarding.vendors.screening.hits = [HIT];
    const { requestId } = await made({}, cpf);
    await until(requestId, 'manual-review');
    current.onboarding.vendors.screening.hits = [];
    await current.onboarding.ask(contracts.JudgeScreeningHit, {
      ...{ requestId, staff: ANALYST, person: 'holder', list: HIT.list, entryId: HIT.entryId, score: HIT.score },
      ...{ entryVersion: HIT.entryVersion, verdict: 'true-match', reason: 'other', note: null },
    } as const);
    await findingOf(accountId, { status: 'open' });
  });

  it('is screened once more if the lists change again before the account is open', async () => {
    const { accountId } = await unopened();
    await screenAgain([]);
    expect(await findings({ accountId })).toEqual([]);
    await screenAgain([HIT]);
    await findingOf(accountId, { status: 'open' });
  });
});
