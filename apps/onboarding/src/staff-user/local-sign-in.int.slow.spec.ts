import * as contracts from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { seedSandbox } from '../sandbox/sandbox-seed';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { cpfOf, openParent, post, requestFor } from '../testing/people';

let onboarding: OnboardingUnderTest;
beforeEach(async () => {
  onboarding = await OnboardingUnderTest.start();
});
afterEach(() => onboarding.stop());

it('staff sign in with a password in the sandbox, and the seeded sign-ins work and stay the same', async () => {
  const seed = await seedSandbox(onboarding.engines, null);
  expect(seed.staff.map(({ role }) => role)).toEqual([
    'compliance-analyst',
    'compliance-approver',
    'compliance-approver',
    'operator',
    'auditor',
  ]);
  const signIn = async (name: string, password: string) =>
    onboarding.ask(contracts.SignInStaff, {
      staffId: contracts.localStaffId(name),
      password: await contracts.sealRequest(onboarding.engines.personalData, { secret: password }),
    });
  for (const { name, role, password } of seed.staff)
    expect(await signIn(name, password)).toMatchObject({ name, roles: [role] });
  const first = seed.staff[0] as (typeof seed.staff)[number];
  expect(await signIn(first.name, `${first.password}x`)).toBeNull();
  expect(await signIn('unknown', first.password)).toBeNull();
  const head = await onboarding.engines.store.head();
  expect(await seedSandbox(onboarding.engines, seed.apiKey, seed)).toEqual(seed);
  expect(await onboarding.engines.store.head()).toBe(head);
  const [again] = (await seedSandbox(onboarding.engines, seed.apiKey, { ...seed, staff: [] })).staff;
  expect(await signIn(first.name, first.password)).toBeNull();
  expect(await signIn(first.name, again?.password ?? '')).not.toBeNull();
  for (const [id, mode] of [
    [seed.reliancePartnerId, 'reliance'],
    [seed.barePartnerId, 'kyc'],
  ] as const)
    expect(await onboarding.ask(contracts.GetAccount, { accountId: id })).toMatchObject({ onboardingMode: mode });
  expect((await onboarding.ask(contracts.GetAccount, { accountId: seed.barePartnerId }))?.capabilities).toEqual([]);
  const log = JSON.stringify(await onboarding.events()) + onboarding.log.join('');
  for (const { password } of seed.staff) expect(log).not.toContain(password);
});

it('outside the sandbox there are no local sign-ins, no decisions without staff and no magic CPFs', async () => {
  const production = await OnboardingUnderTest.start({ environment: 'production' });
  try {
    const password = await contracts.sealRequest(production.engines.personalData, { secret: 'a long enough password' });
    const code = (promise: Promise<unknown>) =>
      promise.then(
        () => 'done',
        (error: Refusal) => error.code,
      );
    expect(await code(production.ask(contracts.RegisterStaffUser, { name: 'x', roles: ['auditor'], password }))).toBe(
      'role-not-allowed',
    );
    expect(await production.ask(contracts.SignInStaff, { staffId: contracts.localStaffId('x'), password })).toBeNull();
    const parentId = await openParent(production);
    const {
      request: { requestId },
    } = await post(production, parentId, await requestFor(production, parentId, cpfOf(900_000_777)));
    expect(
      await code(
        production.ask(contracts.DecideInSandbox, {
          parentId,
          requestId,
          decision: 'approve',
          reason: null,
          items: [],
        }),
      ),
    ).toBe('role-not-allowed');
    await eventually(async () =>
      expect((await production.ask(contracts.GetAccountRequest, { parentId, requestId }))?.reviewStage).toBe(
        'manual-review',
      ),
    );
  } finally {
    await production.stop();
  }
});
