import * as contracts from '@ponte/contracts';
import { closingOf } from '../account-closing/closing.testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { openParent } from '../testing/people';

let onboarding: OnboardingUnderTest;
beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start();
});
afterEach(() => onboarding.stop());

const { close } = closingOf(() => onboarding);

it('an automatic freeze of a closed account changes nothing, but its loss is counted and logged', async () => {
  const accountId = await openParent(onboarding);
  await close(accountId);
  const before = (await onboarding.events()).length;
  const payload = { accountId, reason: 'pix-taken-back', evidence: 'deposit 1' } as const;
  expect((await onboarding.ask(contracts.FreezeAccountAutomatically, payload)).status).toBe('closed');
  expect((await onboarding.events()).length).toBe(before);
  const counted = async (name: string) =>
    ((await onboarding.engines.metrics.registry.getSingleMetric(name)?.get())?.values ?? []).find(
      ({ labels }) => labels['reason'] === 'pix-taken-back',
    )?.value;
  expect(await counted('ponte_closed_account_losses_total')).toBe(1);
  expect(await counted('ponte_accounts_frozen_by_system_total')).toBe(0);
  expect(onboarding.log.filter((line) => line.includes('a closed account lost money or tokens'))).toHaveLength(1);
});
