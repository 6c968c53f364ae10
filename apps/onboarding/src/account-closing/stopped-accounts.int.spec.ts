import * as contracts from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { AccountCommands } from '../sandbox/account-commands';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import {
  ANALYST,
  APPROVER,
  cpfOf,
  openParent,
  OTHER_APPROVER,
  post,
  postReliance,
  requestFor,
} from '../testing/people';
import { approveAsRead } from '../testing/requests';
import { closingOf, MINUTE_MS } from './closing.testing';
import { NO_QUEUE_FILTERS } from '../testing/queue-filters';

let onboarding: OnboardingUnderTest;
let partner: string;
let other: string;
beforeAll(async () => {
  onboarding = await OnboardingUnderTest.start({ environment: 'production', dueEveryMs: 50 });
  partner = await openParent(onboarding, 'reliance');
  other = await openParent(onboarding, 'reliance');
});
afterAll(() => onboarding.stop());

type Request = Awaited<ReturnType<typeof postReliance>>['request'];

const standing = async (parentId: string, { requestId }: Request) => {
  const record = await onboarding.ask(contracts.GetAccountRequest, { parentId, requestId });
  return record?.reviewStage ?? record?.status;
};
const ends = (parentId: string, request: Request, wanted: string) =>
  eventually(async () => expect(await standing(parentId, request)).toBe(wanted));
const { evidence, freeze, requestClosing, confirmClosing, close } = closingOf(() => onboarding);

/** An active account of a person whom the partner has checked. */
async function account(cpf: string): Promise<string> {
  const { request } = await postReliance(onboarding, partner, cpf);
  await ends(partner, request, 'active');
  return request.accountId;
}
const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );
const openByOperator = (cpf: string) =>
  new AccountCommands(onboarding.engines, 'test').openAccount({
    ...{ parentId: other, alias: 'Account', externalId: null, onboardingMode: null, capabilities: [] },
    ...{ legalName: 'Joana Lima', taxId: cpf, bankAccount: null },
  });

const causesInQueue = async ({ requestId }: Request) => {
  const wanted = { filters: NO_QUEUE_FILTERS, order: 'oldest', limit: 200, cursor: null } as const;
  const { items } = await onboarding.ask(contracts.ListReviewQueue, wanted);
  return items.find((item) => item.requestId === requestId)?.causes;
};

it('a person whose account was closed by compliance needs two approvers for another one, with every partner', async () => {
  const cpf = cpfOf(320_000_001);
  const accountId = await account(cpf);
  await close(accountId, { closedFor: 'compliance' });
  const { request } = await postReliance(onboarding, other, cpf);
  await ends(other, request, 'manual-review');
  const { requestId } = request;
  const opened = await onboarding.ask(contracts.OpenReviewCase, {
    ...{ requestId, staff: ANALYST, purpose: 'review', note: null },
  });
  expect(opened?.item.causes).toEqual(['account-stopped', 'four-eyes']);
  expect(opened?.history.find(({ type }) => type === 'ScreeningRecorded')?.facts).toMatchObject({
    stoppedAccounts: [accountId],
  });
  expect(await code(openByOperator(cpf))).toBe('review-by-staff-required');
  expect(await approveAsRead(onboarding, requestId, APPROVER)).toMatchObject({ approvals: 1 });
  await approveAsRead(onboarding, requestId, OTHER_APPROVER);
  await ends(other, request, 'active');
});

it.each(['sanctions', 'fraud-suspected'] as const)(
  'so does one whose account is frozen because of %s',
  async (reason) => {
    const cpf = cpfOf(reason === 'sanctions' ? 320_000_002 : 320_000_003);
    const accountId = await account(cpf);
    await freeze(accountId, reason);
    const { request } = await postReliance(onboarding, other, cpf);
    await ends(other, request, 'manual-review');
    onboarding.advance(MINUTE_MS);
    const { pending } = await requestClosing(accountId);
    await confirmClosing(accountId, pending?.request ?? 0);
    const { request: again } = await postReliance(onboarding, await openParent(onboarding, 'reliance'), cpf);
    await eventually(async () => {
      const { requestId } = again;
      const seen = { requestId, staff: ANALYST, purpose: 'review', note: null } as const;
      const opened = await onboarding.ask(contracts.OpenReviewCase, seen);
      expect(opened?.item.causes).toContain('account-stopped');
    });
  },
);

it('a person who closed an account, or whose freeze was lifted, needs no review', async () => {
  const [leaver, cleared] = [cpfOf(320_000_004), cpfOf(320_000_005)];
  const left = await account(leaver);
  await close(left);
  const released = await account(cleared);
  await freeze(released, 'fraud-suspected');
  const lifting = {
    accountId: released,
    staff: ANALYST,
    reason: 'frozen-by-mistake',
    evidence: await evidence(),
  } as const;
  const { pending } = await onboarding.ask(contracts.RequestAccountRelease, lifting);
  const lifted = { accountId: released, staff: APPROVER, request: pending?.request ?? 0 };
  await onboarding.ask(contracts.ConfirmAccountRelease, lifted);
  for (const cpf of [leaver, cleared]) {
    const { request } = await postReliance(onboarding, other, cpf);
    await ends(other, request, 'active');
  }
});

it('a request that waits learns of the stop of another account before it is decided, and needs two approvers', async () => {
  const cpf = cpfOf(320_000_006);
  const accountId = await account(cpf);
  const kyc = await openParent(onboarding);
  const { request } = await post(onboarding, kyc, await requestFor(onboarding, kyc, cpf));
  await ends(kyc, request, 'manual-review');
  const { requestId } = request;
  const open = () =>
    onboarding.ask(contracts.OpenReviewCase, { ...{ requestId, staff: ANALYST, purpose: 'review', note: null } });
  const approve = (staff: contracts.StaffActor, version = 0) =>
    code(onboarding.ask(contracts.ApproveReview, { requestId, staff, version, note: null }));
  const before = await open();
  expect(before?.item).toMatchObject({ fourEyes: false, causes: ['standard'] });
  await freeze(accountId, 'sanctions');
  expect([await approve(APPROVER, before?.item.version), await approve(ANALYST, before?.item.version)]).toEqual([
    'review-changed',
    'role-not-allowed',
  ]);
  const after = await open();
  expect(after?.item.causes).toEqual(['account-stopped', 'four-eyes']);
  expect(after?.history.at(-1)).toMatchObject({
    type: 'StoppedAccountsFound',
    facts: { person: 'holder', stoppedAccounts: [accountId] },
  });
  expect((await open())?.item.version).toBe(after?.item.version);
  expect(await approve(APPROVER, after?.item.version)).toBe('accepted');
  expect(await standing(kyc, request)).toBe('manual-review');
  expect(await approve(OTHER_APPROVER, (await open())?.item.version)).toBe('accepted');
  await ends(kyc, request, 'active');
});

it('the queue shows that an account was stopped before anyone opens the case', async () => {
  const cpf = cpfOf(320_000_007);
  const accountId = await account(cpf);
  const kyc = await openParent(onboarding);
  const { request } = await post(onboarding, kyc, await requestFor(onboarding, kyc, cpf));
  await ends(kyc, request, 'manual-review');
  await freeze(accountId, 'sanctions');
  await eventually(async () => expect(await causesInQueue(request)).toEqual(['account-stopped', 'four-eyes']));
});
