import * as contracts from '@ponte/contracts';
import type { StaffActor } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { closingOf } from '../account-closing/closing.testing';
import { AccountCommands } from '../sandbox/account-commands';
import { ANALYST, APPROVER, AUDITOR, openParent, OTHER_APPROVER } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { approveAsRead, requestsOf, startWithPartner } from '../testing/requests';
import { code, findingsUnderTest, HIT } from '../testing/findings';

const DAY_MS = 24 * 3_600_000;

let current: WithPartner;
let cpf: string;
beforeEach(async () => {
  current = await startWithPartner({ environment: 'production', screenAgainEveryMs: 30 });
  cpf = nextCpf();
});
afterEach(() => current.onboarding.stop());

const { nextCpf, made, until, open, report } = requestsOf(() => current);
const { close, evidence } = closingOf(() => current.onboarding);
const { account, screenAgain, findings, findingOf, judge, standing } = findingsUnderTest(() => current);

describe('A new hit on the holder of an account', () => {
  it.each([
    [HIT.list, 'sanctions'],
    ['pep', 'compliance'],
  ])('on the list %s opens a finding, whose true match requests a freeze for %s', async (list, reason) => {
    const accountId = await account(cpf);
    await screenAgain([{ ...HIT, list }]);
    const finding = await findingOf(accountId, { status: 'open', version: 1, person: 'holder' });
    expect(JSON.stringify(finding)).not.toContain('LIMA');
    expect(await judge(finding, 'true-match')).toMatchObject({ status: 'matched' });
    expect((await standing(accountId))?.pending).toMatchObject({
      ...{ request: 1, step: 'freeze', reason, requestedBy: APPROVER.staffId },
    });
    const confirm = (staff: StaffActor) =>
      current.onboarding.ask(contracts.ConfirmAccountFreeze, { accountId, staff, request: 1 });
    expect(await code(confirm(APPROVER))).toBe('second-member-required');
    await confirm(OTHER_APPROVER);
    expect((await standing(accountId))?.account.status).toBe('frozen');
    await findingOf(accountId, { status: 'settled' });
  });

  it('needs two approvers to be cleared, and is raised again only after its entry changed', async () => {
    const accountId = await account(cpf);
    await screenAgain();
    const finding = await findingOf(accountId, { status: 'open' });
    const once = await judge(finding, 'false-positive');
    expect(await code(judge(finding, 'false-positive', OTHER_APPROVER))).toBe('review-changed');
    expect(await judge(once, 'false-positive', OTHER_APPROVER)).toMatchObject({ status: 'cleared' });
    await screenAgain();
    current.onboarding.advance(DAY_MS);
    await screenAgain();
    await findingOf(accountId, { status: 'cleared', version: 3 });
    await screenAgain([{ ...HIT, entryVersion: 'v2' }]);
    await findingOf(accountId, { status: 'open', version: 4, verdicts: [] });
  });

  it('is known if staff judged it a false positive in the request', async () => {
    current.onboarding.vendors.screening.hits = [HIT];
    const { requestId, accountId } = await made({}, cpf);
    await until(requestId, 'manual-review');
    await current.onboarding.ask(contracts.JudgeScreeningHit, {
      ...{ requestId, staff: ANALYST, person: 'holder', list: HIT.list, entryId: HIT.entryId, score: HIT.score },
      ...{ entryVersion: HIT.entryVersion, verdict: 'false-positive', reason: 'other', note: null },
    } as const);
    await approveAsRead(current.onboarding, requestId, APPROVER);
    await approveAsRead(current.onboarding, requestId, OTHER_APPROVER);
    await until(requestId, 'active');
    await screenAgain();
    expect(await findings({ accountId })).toEqual([]);
    await screenAgain([{ ...HIT, entryVersion: 'v2' }]);
    await findingOf(accountId, { status: 'open' });
  });

  it('is carried into other requests of the person, and keeps operators from opening an account', async () => {
    const other = await openParent(current.onboarding);
    const accountId = await account(cpf);
    await screenAgain();
    const finding = await findingOf(accountId);
    await judge(finding, 'true-match');
    current.onboarding.vendors.screening.hits = [];
    const openByOperator = new AccountCommands(current.onboarding.engines, 'test').openAccount({
      ...{ parentId: other, alias: 'Account', externalId: null, onboardingMode: null, capabilities: [] },
      ...{ legalName: 'Joana Lima', taxId: cpf, bankAccount: null },
    });
    expect(await code(openByOperator)).toBe('review-by-staff-required');
    const before = current;
    current = { ...current, parentId: other };
    const { requestId } = await made({}, cpf);
    await until(requestId, 'manual-review');
    expect((await open(requestId, ANALYST))?.item.causes).toEqual(['screening-hit', 'four-eyes']);
    current = before;
  });

  it('requests the freeze once no other step of the account is pending', async () => {
    const accountId = await account(cpf);
    const freeze = { accountId, staff: ANALYST, reason: 'fraud-suspected', evidence: await evidence() } as const;
    await current.onboarding.ask(contracts.RequestAccountFreeze, freeze);
    await screenAgain();
    expect(await judge(await findingOf(accountId), 'true-match')).toMatchObject({ freezeRequestedAt: null });
    await current.onboarding.ask(contracts.CloseFreezeRequest, { accountId, staff: ANALYST, request: 1 });
    await eventually(async () =>
      expect((await standing(accountId))?.pending).toMatchObject({ request: 2, reason: 'sanctions' }),
    );
    await eventually(async () => expect((await findingOf(accountId)).freezeRequestedAt).not.toBeNull());
  });

  it('is searched by the name of the holder if an operator opened the account, and not for a closed account', async () => {
    const accountId = await account(cpf);
    await close(accountId);
    await screenAgain();
    expect(await findings({ accountId })).toEqual([]);
    await findingOf(current.parentId, { status: 'open' });
    expect(current.onboarding.vendors.screening.screened.at(-1)?.names).toEqual(['Acme SA']);
  });

  it('is named in the privacy report of the person', async () => {
    const accountId = await account(cpf);
    const categories = async () => {
      const [{ requestId } = { requestId: '' }] = (await current.onboarding.events()).flatMap(({ type, data }) =>
        type === 'AccountRequested' ? [data as contracts.AccountRequested['data']] : [],
      );
      const holdings = (await report(requestId))?.holdings ?? [];
      return holdings.filter(({ kind, id }) => kind === 'account' && id === accountId).flatMap((one) => one.categories);
    };
    expect(await categories()).not.toContain('screening-results');
    await screenAgain();
    await findingOf(accountId);
    expect(await categories()).toContain('screening-results');
  });

  it('is shown to staff only after the view was recorded', async () => {
    const accountId = await account(cpf);
    await screenAgain();
    const { id: findingId, subjectId } = await findingOf(accountId);
    const view = { findingId, purpose: 'review', note: null } as const;
    const shown = await current.onboarding.ask(contracts.OpenScreeningFinding, { ...view, staff: AUDITOR });
    expect(await current.onboarding.engines.personalData.open(shown?.hit.match as never)).toBe('JOANA LIMA');
    const operator = { staffId: 'x', roles: ['operator'] } as const;
    expect(await code(current.onboarding.ask(contracts.OpenScreeningFinding, { ...view, staff: operator }))).toBe(
      'role-not-allowed',
    );
    const views = (await current.onboarding.events()).filter(({ type }) => type === 'PersonalDataViewed');
    expect(views.map(({ data }) => data)).toMatchObject([{ subjectId, what: 'screening-finding', purpose: 'review' }]);
  });
});
