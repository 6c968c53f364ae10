import * as contracts from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { AccountCommands } from '../sandbox/account-commands';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, AUDITOR, cpfOf, openParent, OPERATOR, OTHER_APPROVER } from '../testing/people';
import { eraseAsPrepared } from '../testing/requests';

const CPF = cpfOf(555_000_777);

let onboarding: OnboardingUnderTest;
beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start({ environment: 'production' });
});
afterEach(() => onboarding.stop());

const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: Refusal) => error.code,
  );
const evidence = (secret = 'Ticket 4711') => contracts.sealRequest(onboarding.engines.personalData, { secret });
const request = async (accountId: string, staff: contracts.StaffActor) =>
  onboarding.ask(contracts.RequestAccountFreeze, { accountId, staff, reason: 'sanctions', evidence: await evidence() });
const open = (accountId: string, staff: contracts.StaffActor, purpose: contracts.ViewPurpose = 'review') =>
  onboarding.ask(contracts.OpenAccountStanding, { accountId, staff, purpose });
const textOf = async (sealed: contracts.PendingStep['evidence'] | undefined) =>
  sealed && (await onboarding.engines.personalData.open(sealed));

/** An erasure before the end of the retention period only restricts the data. */
async function restrict(): Promise<void> {
  const identifier = await contracts.sealRequest(onboarding.engines.personalData, { value: CPF, country: 'BRA' });
  const person = { kind: 'identifier' as const, identifier };
  await eventually(async () =>
    expect(await eraseAsPrepared(onboarding, person, APPROVER)).toMatchObject({ outcome: 'restricted' }),
  );
}

/** The views of the holder's data so far, oldest first. */
async function views(accountId: string) {
  const subjectId = (await onboarding.ask(contracts.GetHolder, { accountId }))?.holderId;
  return (await onboarding.events())
    .filter(
      ({ type, data }) => type === 'PersonalDataViewed' && (data as { subjectId: string }).subjectId === subjectId,
    )
    .map(({ data }) => data as contracts.PersonalDataViewed['data'])
    .map(({ what, staffId, purpose }) => [what, staffId, purpose]);
}

it('the standing of an account shows its evidence only to a staff member whose view was recorded', async () => {
  const accountId = await openParent(onboarding);
  const requested = await request(accountId, ANALYST);
  expect([await textOf(requested.pending?.evidence), await views(accountId)]).toEqual([
    'Ticket 4711',
    [['account-standing', ANALYST.staffId, 'review']],
  ]);
  const unopened = await onboarding.ask(contracts.GetAccountStanding, { accountId });
  expect(unopened?.pending).toMatchObject({ request: 1, reason: 'sanctions' });
  expect(JSON.stringify(unopened)).not.toContain('evidence');
  expect(await code(open(accountId, OPERATOR))).toBe('role-not-allowed');
  expect(await views(accountId)).toHaveLength(1);
  expect(await textOf((await open(accountId, AUDITOR, 'audit'))?.pending?.evidence)).toBe('Ticket 4711');
  expect((await views(accountId)).at(-1)).toEqual(['account-standing', AUDITOR.staffId, 'audit']);
  await onboarding.ask(contracts.ConfirmAccountFreeze, { accountId, staff: APPROVER, request: 1 });
  expect((await views(accountId)).at(-1)).toEqual(['account-standing', APPROVER.staffId, 'review']);
});

it('an account without evidence is shown without a view, and one that does not exist is not found', async () => {
  const accountId = await openParent(onboarding);
  expect((await open(accountId, ANALYST))?.account.status).toBe('active');
  expect([await code(open(accountId, OPERATOR)), await views(accountId)]).toEqual(['role-not-allowed', []]);
  expect(await open(onboarding.engines.ids.next(), ANALYST)).toBeNull();
});

it('while the data of the holder is restricted, steps are possible but show no evidence', async () => {
  const { accountId } = await new AccountCommands(onboarding.engines, 'test').openAccount({
    ...{ parentId: null, alias: 'Person', externalId: null, onboardingMode: 'kyc', capabilities: [] },
    ...{ legalName: 'Maria Lima', taxId: CPF, bankAccount: null },
  });
  await request(accountId, ANALYST);
  await restrict();
  const frozen = await onboarding.ask(contracts.ConfirmAccountFreeze, { accountId, staff: APPROVER, request: 1 });
  expect([frozen.account.status, JSON.stringify(frozen).includes('evidence')]).toEqual(['frozen', false]);
  expect(await views(accountId)).toHaveLength(1);
  expect(await code(open(accountId, OTHER_APPROVER))).toBe('personal-data-restricted');
  const opened = await open(accountId, OTHER_APPROVER, 'legal-request');
  expect(await textOf(opened?.freezes[0]?.evidence)).toBe('Ticket 4711');
});

it('reasons of address verdicts are shown only after a view was recorded, also for an account without evidence', async () => {
  const accountId = await openParent(onboarding);
  const asking = { accountId, staff: AUDITOR, purpose: 'audit' } as const;
  await onboarding.ask(contracts.OpenAccountStanding, asking);
  expect(await views(accountId)).toEqual([]);
  await onboarding.ask(contracts.OpenAccountStanding, { ...asking, showsReasons: true });
  expect(await views(accountId)).toEqual([['account-standing', AUDITOR.staffId, 'audit']]);
  const byOperator = onboarding.ask(contracts.OpenAccountStanding, { ...asking, staff: OPERATOR, showsReasons: true });
  expect(await code(byOperator)).toBe('role-not-allowed');
});
