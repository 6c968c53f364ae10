import * as contracts from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, openParent, OTHER_APPROVER } from '../testing/people';

let onboarding: OnboardingUnderTest;
beforeAll(async () => {
  onboarding = await OnboardingUnderTest.start({ environment: 'production' });
});
afterAll(() => onboarding.stop());

const CANARY = 'Canary Zymurgia of ticket 4711';
const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: Refusal) => error.code,
  );
const evidence = (secret = CANARY) => contracts.sealRequest(onboarding.engines.personalData, { secret });
const freeze = async (accountId: string, staff: contracts.StaffActor) =>
  onboarding.ask(contracts.RequestAccountFreeze, { accountId, staff, reason: 'sanctions', evidence: await evidence() });
const release = async (accountId: string, staff: contracts.StaffActor) =>
  onboarding.ask(contracts.RequestAccountRelease, { accountId, staff, reason: 'resolved', evidence: await evidence() });
const standingOf = async (accountId: string) =>
  (await onboarding.ask(contracts.OpenAccountStanding, {
    ...{ accountId, staff: APPROVER, purpose: 'review' },
  })) as contracts.AccountStanding;
/** Confirms the request that is pending now, unless another number is given. */
const confirm = async (step: 'freeze' | 'release', accountId: string, staff: contracts.StaffActor, read?: number) =>
  onboarding.ask(step === 'freeze' ? contracts.ConfirmAccountFreeze : contracts.ConfirmAccountRelease, {
    accountId,
    staff,
    request: read ?? (await standingOf(accountId)).pending?.request ?? 0,
  });
const close = (accountId: string, staff: contracts.StaffActor, request: number) =>
  onboarding.ask(contracts.CloseFreezeRequest, { accountId, staff, request });
const statusOf = async (accountId: string) => (await onboarding.ask(contracts.GetAccount, { accountId }))?.status;
const listed = async () =>
  (
    await onboarding.ask(contracts.ListFrozenAccounts, {
      page: { limit: 50, cursor: null, createdFrom: null, createdTo: null },
    })
  ).items.map((one) => [one.accountId, one.status, one.pendingStep]);

it('an account is frozen and released by two staff members each, the list follows, and evidence is sealed under the holder', async () => {
  const accountId = await openParent(onboarding);
  expect((await freeze(accountId, APPROVER)).pending).toMatchObject({
    step: 'freeze',
    reason: 'sanctions',
    requestedBy: APPROVER.staffId,
  });
  expect([await statusOf(accountId), await listed()]).toEqual(['active', [[accountId, 'active', 'freeze']]]);
  expect([
    await code(confirm('freeze', accountId, APPROVER)),
    await code(confirm('freeze', accountId, ANALYST)),
  ]).toEqual(['second-member-required', 'role-not-allowed']);
  const frozen = await confirm('freeze', accountId, OTHER_APPROVER);
  expect(frozen).toMatchObject({
    account: { status: 'frozen' },
    pending: null,
    freezes: [{ requestedBy: APPROVER.staffId, confirmedBy: OTHER_APPROVER.staffId }],
  });
  expect(await onboarding.engines.personalData.open(frozen.freezes[0]?.evidence as `sealed:v1:${string}`)).toBe(CANARY);
  expect([await statusOf(accountId), await listed()]).toEqual(['frozen', [[accountId, 'frozen', undefined]]]);
  await release(accountId, OTHER_APPROVER);
  expect([await code(confirm('release', accountId, OTHER_APPROVER)), await statusOf(accountId)]).toEqual([
    'second-member-required',
    'frozen',
  ]);
  await confirm('release', accountId, APPROVER);
  expect([await statusOf(accountId), await listed()]).toEqual(['active', []]);
  const { history } = await standingOf(accountId);
  expect(history.map(({ type, staff }) => [type, staff.length])).toEqual([
    ['freeze-requested', 1],
    ['frozen', 2],
    ['release-requested', 1],
    ['released', 2],
  ]);
  expect(JSON.stringify(await onboarding.events())).not.toContain('Zymurgia');
  expect(onboarding.log.join('')).not.toContain('Zymurgia');
});

it('an automatic freeze takes effect at once, is logged once however often it is requested, and needs two staff members to be released', async () => {
  const accountId = await openParent(onboarding);
  const payload = { accountId, reason: 'pix-taken-back', evidence: 'deposit 1' } as const;
  const context = onboarding.context();
  for (let time = 0; time < 2; time += 1)
    expect((await onboarding.ask(contracts.FreezeAccountAutomatically, payload, context)).status).toBe('frozen');
  expect(
    (await onboarding.events()).filter(
      ({ type, data }) => type === 'AccountFrozen' && (data as { accountId: string }).accountId === accountId,
    ),
  ).toHaveLength(1);
  expect(onboarding.log.filter((line) => line.includes('the system froze an account'))).toHaveLength(1);
  expect(await code(confirm('release', accountId, APPROVER))).toBe('freeze-step-not-pending');
  await release(accountId, ANALYST);
  await confirm('release', accountId, APPROVER);
  expect(await statusOf(accountId)).toBe('active');
  expect(
    await code(onboarding.ask(contracts.FreezeAccountAutomatically, { ...payload, reason: 'mood' as never })),
  ).toBe('invalid-enum-value');
  expect(await onboarding.ask(contracts.GetAccountStanding, { accountId: onboarding.engines.ids.next() })).toBeNull();
});

it('a release is not confirmed once an address was found on a sanctions list after the request, until it is requested again', async () => {
  const accountId = await openParent(onboarding);
  await freeze(accountId, ANALYST);
  await confirm('freeze', accountId, APPROVER);
  const { addressReviews } = onboarding.vendors.money;
  const now = () => new Date(onboarding.engines.clock.now()).toISOString();
  for (const found of ['heldAt', 'decidedAt'] as const) {
    const { pending } = await release(accountId, ANALYST);
    onboarding.advance(1_000);
    addressReviews.set(accountId, { [found]: now() });
    expect([await code(confirm('release', accountId, APPROVER)), await statusOf(accountId)]).toEqual([
      'review-changed',
      'frozen',
    ]);
    await close(accountId, APPROVER, pending?.request ?? 0);
    onboarding.advance(1_000);
  }
  await release(accountId, ANALYST);
  onboarding.vendors.money.isDown = true;
  expect([await code(confirm('release', accountId, APPROVER)), await statusOf(accountId)]).toEqual([
    'service-unavailable',
    'frozen',
  ]);
  onboarding.vendors.money.isDown = false;
  await confirm('release', accountId, APPROVER);
  expect(await statusOf(accountId)).toBe('active');
});

it('a release is not confirmed while a review of an address of the account is open, however old it is', async () => {
  const accountId = await openParent(onboarding);
  await freeze(accountId, ANALYST);
  await confirm('freeze', accountId, APPROVER);
  const { addressReviews } = onboarding.vendors.money;
  addressReviews.set(accountId, { heldAt: '2026-01-01T12:00:00.000Z', waiting: ['review-1'] });
  await release(accountId, ANALYST);
  expect([await code(confirm('release', accountId, APPROVER)), await statusOf(accountId)]).toEqual([
    'review-open',
    'frozen',
  ]);
  addressReviews.set(accountId, { heldAt: '2026-01-01T12:00:00.000Z' });
  await confirm('release', accountId, APPROVER);
  expect(await statusOf(accountId)).toBe('active');
});

it('a confirmation names the request that was read, so a request that replaced it is never confirmed, and nothing is written', async () => {
  const accountId = await openParent(onboarding);
  const ask = async (reason: contracts.FreezeReason, secret: string) =>
    onboarding.ask(contracts.RequestAccountFreeze, {
      accountId,
      staff: ANALYST,
      reason,
      evidence: await evidence(secret),
    });
  const read = (await ask('sanctions', 'Ticket 1')).pending?.request ?? 0;
  await close(accountId, ANALYST, read);
  const pending = (await ask('court-order', 'Ticket 2')).pending;
  const written = async () =>
    (await onboarding.events()).filter(({ data }) => (data as { accountId?: string }).accountId === accountId).length;
  const before = await written();
  expect([
    await code(confirm('freeze', accountId, APPROVER, read)),
    await code(close(accountId, APPROVER, read)),
    await statusOf(accountId),
    await written(),
  ]).toEqual(['freeze-step-not-pending', 'freeze-step-not-pending', 'active', before]);
  const frozen = await confirm('freeze', accountId, APPROVER, pending?.request);
  expect(frozen.freezes).toMatchObject([{ reason: 'court-order', confirmedBy: APPROVER.staffId }]);
  expect((await confirm('freeze', accountId, APPROVER, pending?.request)).freezes).toHaveLength(1);
});

it('a repeated request changes nothing, and the same request with other evidence is refused instead of being dropped', async () => {
  const accountId = await openParent(onboarding);
  const ask = async (secret: string) =>
    onboarding.ask(contracts.RequestAccountFreeze, {
      accountId,
      staff: ANALYST,
      reason: 'sanctions',
      evidence: await evidence(secret),
    });
  const { pending } = await ask('Ticket 1');
  expect((await ask('Ticket 1')).pending).toEqual(pending);
  expect(await code(ask('Ticket 2'))).toBe('freeze-step-pending');
  expect((await standingOf(accountId)).pending).toEqual(pending);
});
