import * as contracts from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { AccountCommands } from '../sandbox/account-commands';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, AUDITOR, cpfOf, OPERATOR } from '../testing/people';
import { eraseAsPrepared } from '../testing/requests';

const CPF = cpfOf(555_000_777);

let onboarding: OnboardingUnderTest;
let accountId: string;
beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start({ environment: 'production' });
  ({ accountId } = await new AccountCommands(onboarding.engines, 'test').openAccount({
    ...{ parentId: null, alias: 'Person', externalId: null, onboardingMode: 'kyc', capabilities: [] },
    ...{ legalName: 'Maria Lima', taxId: CPF, bankAccount: null },
  }));
});
afterEach(() => onboarding.stop());

const view = (staff: contracts.StaffActor, purpose: contracts.ViewPurpose = 'review', account = accountId) =>
  onboarding.ask(contracts.RecordUsdDepositView, { accountId: account, staff, purpose }).then(
    () => 'accepted',
    (error: Refusal) => error.code,
  );
const person = async () => {
  const identifier = await contracts.sealRequest(onboarding.engines.personalData, { value: CPF, country: 'BRA' });
  return { kind: 'identifier', identifier } as const;
};
/** The views of USD deposits in the stream of the account's holder. */
async function views() {
  const subjectId = (await onboarding.ask(contracts.GetHolder, { accountId }))?.holderId;
  return (await onboarding.events())
    .filter(({ type }) => type === 'PersonalDataViewed')
    .map(({ data }) => data as contracts.PersonalDataViewed['data'])
    .filter((viewed) => viewed.subjectId === subjectId && viewed.what === 'usd-deposit')
    .map(({ staffId, purpose }) => [staffId, purpose]);
}

it('a view of a USD deposit is recorded for its account holder, and a privacy report shows it', async () => {
  expect(await view(OPERATOR)).toBe('accepted');
  expect(await view(APPROVER, 'audit')).toBe('accepted');
  expect(await views()).toEqual([
    [OPERATOR.staffId, 'review'],
    [APPROVER.staffId, 'audit'],
  ]);
  const report = { person: await person(), staff: AUDITOR, purpose: 'privacy-request' } as const;
  await eventually(async () =>
    expect((await onboarding.ask(contracts.OpenPrivacyReport, report))?.views).toContainEqual(
      expect.objectContaining({ what: 'usd-deposit', staffId: OPERATOR.staffId, purpose: 'review' }),
    ),
  );
});

it('a USD deposit is refused to roles that do not decide on it, and of an unknown account, and nothing is recorded', async () => {
  expect(await view(ANALYST)).toBe('role-not-allowed');
  expect(await view(AUDITOR, 'audit')).toBe('role-not-allowed');
  expect(await view(OPERATOR, 'review', 'a0000000-0000-8000-8000-000000000009')).toBe('account-not-found');
  expect(await views()).toEqual([]);
});

it('while the data of the holder is restricted, a USD deposit is only for approvers with a legal purpose', async () => {
  const restricted = await person();
  await eventually(async () =>
    expect(await eraseAsPrepared(onboarding, restricted, APPROVER)).toMatchObject({ outcome: 'restricted' }),
  );
  expect(await view(OPERATOR, 'legal-request')).toBe('personal-data-restricted');
  expect(await view(APPROVER)).toBe('personal-data-restricted');
  expect(await views()).toEqual([]);
  expect(await view(APPROVER, 'legal-request')).toBe('accepted');
  expect(await views()).toEqual([[APPROVER.staffId, 'legal-request']]);
});
