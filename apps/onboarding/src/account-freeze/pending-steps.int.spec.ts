import * as contracts from '@ponte/contracts';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { eventually, rebuiltRows, shownRows } from '@ponte/testing';
import { closingOf, MINUTE_MS } from '../account-closing/closing.testing';
import { ONBOARDING_REBUILDABLE } from '../onboarding.read-models';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, openParent, OTHER_APPROVER } from '../testing/people';

const HOUR_MS = 3_600_000;
const NONE = { freeze: 0, release: 0, close: 0 };

let onboarding: OnboardingUnderTest;
beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start({ environment: 'production' });
});
afterEach(() => onboarding.stop());

const { evidence, freeze, requestClosing, confirmClosing } = closingOf(() => onboarding);
const requestFreeze = async (accountId: string) =>
  onboarding.ask(contracts.RequestAccountFreeze, {
    ...{ accountId, staff: ANALYST, reason: 'sanctions', evidence: await evidence() },
  });
const requestRelease = async (accountId: string) =>
  onboarding.ask(contracts.RequestAccountRelease, {
    ...{ accountId, staff: ANALYST, reason: 'resolved', evidence: await evidence() },
  });
const confirmFreeze = (accountId: string, request = 1) =>
  onboarding.ask(contracts.ConfirmAccountFreeze, { accountId, staff: APPROVER, request });

/** For how many whole hours the oldest request for each step has waited. */
async function hours(): Promise<Record<string, number>> {
  const metric = onboarding.engines.metrics.registry.getSingleMetric('ponte_account_step_oldest_seconds');
  const values = (await metric?.get())?.values ?? [];
  return Object.fromEntries(values.map(({ labels, value }) => [labels['step'], Math.round(value / 3_600)]));
}
const becomes = (expected: Record<string, number>) =>
  eventually(async () => expect(await hours()).toEqual({ ...NONE, ...expected }));

describe('the time for which a freeze, release or closing waits for its second staff member', () => {
  it('is that of the oldest request of its kind, until that is confirmed, withdrawn or refused', async () => {
    expect(await hours()).toEqual(NONE);
    const [first, second] = [await openParent(onboarding), await openParent(onboarding, 'reliance')];
    await requestFreeze(first);
    onboarding.advance(3 * HOUR_MS);
    await requestFreeze(second);
    onboarding.advance(HOUR_MS);
    await becomes({ freeze: 4 });
    await confirmFreeze(first);
    await becomes({ freeze: 1 });
    await requestRelease(first);
    onboarding.advance(HOUR_MS);
    await becomes({ freeze: 2, release: 1 });
    await onboarding.ask(contracts.CloseFreezeRequest, { accountId: second, staff: ANALYST, request: 1 });
    await onboarding.ask(contracts.CloseFreezeRequest, { accountId: first, staff: APPROVER, request: 2 });
    await becomes({});
  });

  it('is shown in the list of frozen accounts', async () => {
    const accountId = await openParent(onboarding);
    const { pending } = await requestFreeze(accountId);
    const frozen = await onboarding.ask(contracts.ListFrozenAccounts, {
      page: { limit: 50, cursor: null, createdFrom: null, createdTo: null },
    });
    expect(frozen.items.map((one) => [one.accountId, one.pendingStep, one.pendingSince])).toEqual([
      [accountId, 'freeze', pending?.requestedAt],
    ]);
  });

  it('includes closings', async () => {
    const accountId = await openParent(onboarding);
    await freeze(accountId);
    onboarding.advance(MINUTE_MS);
    const { pending } = await requestClosing(accountId);
    onboarding.advance(2 * HOUR_MS);
    await becomes({ close: 2 });
    await confirmClosing(accountId, pending?.request ?? 0, OTHER_APPROVER);
    await becomes({});
  });

  it('ends for a release that a freeze by the system cancels, and goes on for a freeze', async () => {
    const [frozen, active] = [await openParent(onboarding), await openParent(onboarding, 'reliance')];
    await requestFreeze(frozen);
    await confirmFreeze(frozen);
    await requestRelease(frozen);
    await requestFreeze(active);
    onboarding.advance(5 * HOUR_MS);
    await becomes({ release: 5, freeze: 5 });
    for (const accountId of [frozen, active])
      await onboarding.ask(contracts.FreezeAccountAutomatically, {
        ...{ accountId, reason: 'pix-taken-back', evidence: 'deposit 1' },
      });
    await becomes({ freeze: 5 });
  });

  it('goes on after a restart, and has the same rows after a rebuild', async () => {
    await openParent(onboarding, 'reliance');
    await requestFreeze(await openParent(onboarding));
    onboarding.advance(6 * HOUR_MS);
    await becomes({ freeze: 6 });
    const { folder } = onboarding;
    await onboarding.stop(true);
    onboarding = await OnboardingUnderTest.start({ environment: 'production', folder });
    onboarding.advance(7 * HOUR_MS);
    await becomes({ freeze: 7 });
    const shown = await shownRows(onboarding.engines.readModels, ['onboarding_pending_steps']);
    expect(shown['onboarding_pending_steps']).toMatchObject([{ step: 'freeze' }]);
    const db = openSqliteReadModels<unknown>(':memory:');
    expect(await rebuiltRows(ONBOARDING_REBUILDABLE, db, onboarding.engines.store)).toMatchObject(shown);
    await db.destroy();
  });
});
