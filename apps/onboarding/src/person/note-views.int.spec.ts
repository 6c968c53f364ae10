import * as contracts from '@ponte/contracts';
import { NO_STREAM, toAppend } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, AUDITOR, OPERATOR } from '../testing/people';
import { eraseAsPrepared } from '../testing/requests';

const DEPOSIT = 'a0000000-0000-8000-8000-000000000007';
/** The bank named the payer without a valid tax id, so the payer is a person for this deposit, and no customer. */
const PAYER = contracts.unidentifiedPayerIdOf(DEPOSIT);
const PERSON = { kind: 'deposit', depositId: DEPOSIT } as const;

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
const view = (staff: contracts.StaffActor, purpose: contracts.ViewPurpose = 'review') =>
  code(onboarding.ask(contracts.RecordNoteView, { payerId: PAYER, staff, purpose }));
const report = () =>
  onboarding.ask(contracts.OpenPrivacyReport, { person: PERSON, staff: AUDITOR, purpose: 'privacy-request' });
/** The views in the payer's stream so far, oldest first. */
const views = async () =>
  (await onboarding.events())
    .filter(({ type, data }) => type === 'PersonalDataViewed' && (data as { subjectId: string }).subjectId === PAYER)
    .map(({ data }) => data as contracts.PersonalDataViewed['data'])
    .map(({ what, staffId, purpose }) => [what, staffId, purpose]);

/** Staff write a note about the payer. */
async function noted(): Promise<void> {
  const { personalData, store, clock } = onboarding.engines;
  const at = new Date(clock.now()).toISOString();
  const note = await personalData.seal('a0000000-0000-8000-8000-000000000008', 'Paid to the new account of Vera');
  const proposed = new contracts.SuspenseSettlementProposed({
    ...{ depositId: DEPOSIT, proposal: 1, bankReference: 'E1', note, payerId: PAYER },
    ...{ staffId: OPERATOR.staffId, proposedAt: at },
  });
  const records = toAppend([proposed], [contracts.SuspenseSettlementProposed], onboarding.context(), at);
  await store.append(`deposit-${DEPOSIT}`, NO_STREAM, records);
  await eventually(async () => expect(await report()).not.toBeNull());
}

it("a view of the note of a settlement is recorded in the payer's stream, and a privacy report shows it", async () => {
  await noted();
  expect(await view(ANALYST)).toBe('accepted');
  expect((await views()).at(-1)).toEqual(['settlement-note', ANALYST.staffId, 'review']);
  expect((await report())?.views).toContainEqual(
    expect.objectContaining({ what: 'settlement-note', staffId: ANALYST.staffId, purpose: 'review' }),
  );
});

it('the note of a settlement is refused to operators, and nothing is recorded', async () => {
  await noted();
  const before = await views();
  expect(await view(OPERATOR)).toBe('role-not-allowed');
  expect(await views()).toEqual(before);
});

it('while the data of the payer is restricted, the note is only for approvers and auditors with a legal purpose', async () => {
  await noted();
  await eventually(async () =>
    expect(await eraseAsPrepared(onboarding, PERSON, APPROVER)).toMatchObject({ outcome: 'restricted' }),
  );
  const before = (await views()).length;
  expect(await view(ANALYST)).toBe('personal-data-restricted');
  expect(await view(APPROVER)).toBe('personal-data-restricted');
  expect((await views()).length).toBe(before);
  expect(await view(APPROVER, 'legal-request')).toBe('accepted');
  expect((await views()).at(-1)).toEqual(['settlement-note', APPROVER.staffId, 'legal-request']);
});
