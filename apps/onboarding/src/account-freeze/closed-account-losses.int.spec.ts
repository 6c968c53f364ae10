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

const payload = (accountId: string) => ({ accountId, reason: 'pix-taken-back', evidence: 'deposit 1' }) as const;
const counted = async (name: string) =>
  ((await onboarding.engines.metrics.registry.getSingleMetric(name)?.get())?.values ?? []).find(
    ({ labels }) => labels['reason'] === 'pix-taken-back',
  )?.value;
const losses = async () => ({
  counted: await counted('ponte_closed_account_losses_total'),
  logged: onboarding.log.filter((line) => line.includes('a closed account lost money or tokens')).length,
});

it('an automatic freeze of a closed account leaves it closed, but its loss is recorded, counted and logged', async () => {
  const accountId = await openParent(onboarding);
  await close(accountId);
  const before = (await onboarding.events()).length;
  expect((await onboarding.ask(contracts.FreezeAccountAutomatically, payload(accountId))).status).toBe('closed');
  expect((await onboarding.events()).slice(before)).toMatchObject([
    { type: 'ClosedAccountLossRecorded', data: { accountId, reason: 'pix-taken-back' } },
  ]);
  expect(await losses()).toEqual({ counted: 1, logged: 1 });
  expect(await counted('ponte_accounts_frozen_by_system_total')).toBe(0);
});

it('a repeated request whose freeze took effect before the closing is no loss after it', async () => {
  const accountId = await openParent(onboarding);
  const context = onboarding.context();
  await onboarding.ask(contracts.FreezeAccountAutomatically, payload(accountId), context);
  await close(accountId);
  expect((await onboarding.ask(contracts.FreezeAccountAutomatically, payload(accountId), context)).status).toBe(
    'closed',
  );
  expect(await losses()).toEqual({ counted: 0, logged: 0 });
});

it('a repeated request for a closed account records its loss once, and reports it again after a restart', async () => {
  const accountId = await openParent(onboarding);
  await close(accountId);
  const context = onboarding.context();
  const freeze = () => onboarding.ask(contracts.FreezeAccountAutomatically, payload(accountId), context);
  expect((await Promise.all([freeze(), freeze()])).map(({ status }) => status)).toEqual(['closed', 'closed']);
  expect((await losses()).counted).toBeGreaterThanOrEqual(1);
  const { folder } = onboarding;
  await onboarding.stop(true);
  onboarding = await OnboardingUnderTest.start({ folder });
  expect((await freeze()).status).toBe('closed');
  // The process that recorded it may have ended before anyone could read its counter.
  expect(await losses()).toEqual({ counted: 1, logged: 1 });
  expect((await onboarding.events()).filter(({ type }) => type === 'ClosedAccountLossRecorded')).toHaveLength(1);
});

it('two losses of a closed account are counted, even for the same reason', async () => {
  const accountId = await openParent(onboarding);
  await close(accountId);
  for (const evidence of ['deposit 1', 'deposit 2'])
    await onboarding.ask(contracts.FreezeAccountAutomatically, { ...payload(accountId), evidence });
  expect(await losses()).toEqual({ counted: 2, logged: 2 });
});

it('a request for a closed account that lost nothing is no loss', async () => {
  const accountId = await openParent(onboarding);
  await close(accountId);
  const nothingLost = { ...payload(accountId), nothingLost: true } as const;
  expect((await onboarding.ask(contracts.FreezeAccountAutomatically, nothingLost)).status).toBe('closed');
  expect(await losses()).toEqual({ counted: 0, logged: 0 });
});
