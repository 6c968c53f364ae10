import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { cpfOf, openParent, post, requestFor } from '../testing/people';

let onboarding: OnboardingUnderTest;
beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start();
});
afterEach(() => onboarding.stop());

it('200 people, each posted 20 times at once, result in 200 requests', async () => {
  const parentId = await openParent(onboarding);
  const base = await requestFor(onboarding, parentId, cpfOf(1));
  const people = Array.from({ length: 200 }, (_, at) => ({
    ...base,
    identifier: { value: cpfOf(300_000_000 + at), country: 'BRA' },
    liveness: { id: `s-${at}`, provider: 'provider-1' },
  }));
  const answers = await Promise.all(
    people.flatMap((person) => Array.from({ length: 20 }, () => post(onboarding, parentId, person))),
  );
  expect(new Set(answers.map(({ request }) => request.requestId)).size).toBe(200);
  expect(answers.filter(({ created }) => created)).toHaveLength(200);
});
