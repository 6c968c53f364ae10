import type { AccountRequested, ScreeningHitJudged } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { ERASED } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { APPROVER, AUDITOR, cpfOf, openParent, post, requestFor, upload } from '../testing/people';

const HIT = { list: 'un-consolidated', entryId: 'QDi.1', score: 90, matchedOn: 'x' };

let onboarding: OnboardingUnderTest;
let requestId: string;
beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start();
  const parentId = await openParent(onboarding);
  onboarding.vendors.screening.hits = [HIT];
  const request = await requestFor(onboarding, parentId, cpfOf(123_456_789));
  const representative = {
    ...{ firstName: 'Paulo', lastName: 'Lima', dateOfBirth: '1980-01-31', taxResidence: 'BRA' },
    ...{ identifier: { value: cpfOf(987_654_321), country: 'BRA' }, address: request.address, pep: request.pep },
    document: { type: 'cnh' as const, frontFileId: await upload(onboarding, parentId), backFileId: null },
    powerOfAttorneyFileId: await upload(onboarding, parentId, 'power-of-attorney'),
  };
  ({ requestId } = (await post(onboarding, parentId, { ...request, representative })).request);
  await eventually(async () =>
    expect((await onboarding.ask(contracts.GetAccountRequest, { parentId, requestId }))?.reviewStage).toBe(
      'manual-review',
    ),
  );
});
afterEach(() => onboarding.stop());

async function judge(person: 'holder' | 'representative', secret: string): Promise<void> {
  await onboarding.ask(contracts.JudgeScreeningHit, {
    ...{ requestId, staff: APPROVER, person, list: HIT.list, entryId: HIT.entryId, score: HIT.score },
    ...{ entryVersion: null, verdict: 'false-positive', reason: 'birth-date-differs' },
    note: await contracts.sealRequest(onboarding.engines.personalData, { secret }),
  } as const);
}

async function categoriesOf(role: 'holder' | 'representative'): Promise<readonly string[]> {
  const report = await onboarding.ask(contracts.OpenPrivacyReport, {
    ...{ person: { kind: 'request', requestId, person: role }, staff: AUDITOR, purpose: 'privacy-request' },
  } as const);
  return report?.holdings.find(({ kind }) => kind === 'account-request')?.categories ?? [];
}

it('a note about the hit of a representative is the data of the representative, and is erased with them', async () => {
  await judge('holder', 'The holder was born in 1990');
  expect(await categoriesOf('representative')).not.toContain('review-notes');
  await judge('representative', 'The representative was born in 1980');
  expect(await categoriesOf('representative')).toContain('review-notes');

  const events = await onboarding.events();
  const { details } = events.find(({ type }) => type === 'AccountRequested')?.data as AccountRequested['data'];
  const [ofHolder, ofRepresentative] = events
    .filter(({ type }) => type === 'ScreeningHitJudged')
    .map(({ data }) => (data as ScreeningHitJudged['data']).note);
  const { personalData } = onboarding.engines;
  await personalData.erase((details as { representative: { subjectId: string } }).representative.subjectId);
  expect(await personalData.open(ofRepresentative as never)).toBe(ERASED);
  expect(await personalData.open(ofHolder as never)).toBe('The holder was born in 1990');
});
