import * as contracts from '@ponte/contracts';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, OTHER_APPROVER } from '../testing/people';
import { approveAsRead, codes, decideAsRead, requestsOf, startWithPartner } from '../testing/requests';

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeAll(async () => {
  ({ onboarding, parentId } = await startWithPartner());
});

afterAll(() => onboarding.stop());

const { open, until, waiting } = requestsOf(() => ({ onboarding, parentId }));

const approve = (requestId: string, staff: contracts.StaffActor, version: number) =>
  onboarding.ask(contracts.ApproveReview, { requestId, staff, version, note: null });
const versionOf = async (requestId: string, staff = APPROVER) => (await open(requestId, staff))?.item.version ?? 0;
const written = async (requestId: string) =>
  (await onboarding.events()).filter(({ stream }) => stream === `accountRequest-${requestId}`).length;

it('a page that was read before the partner sent other information approves nothing', async () => {
  const { requestId } = await waiting();
  const read = await versionOf(requestId);
  const request = { requestId, staff: ANALYST, items: ['other'], issues: [], note: null } as const;
  await decideAsRead(onboarding, contracts.AskInformation, request);
  const nothing = { address: null, document: null, liveness: null, representativeAddress: null };
  await onboarding.ask(contracts.ProvideInformation, {
    parentId,
    requestId,
    body: await contracts.sealRequest(onboarding.engines.personalData, {
      ...nothing,
      representativeDocument: null,
      powerOfAttorneyFileId: null,
      otherFileIds: [],
      note: 'My source of funds has changed',
    }),
  });
  await until(requestId, 'manual-review');
  const before = await written(requestId);
  expect(await codes(approve(requestId, APPROVER, read))).toEqual(['review-changed version']);
  expect(await written(requestId)).toBe(before);
  expect(await approve(requestId, APPROVER, await versionOf(requestId))).toMatchObject({ status: 'approved' });
});

it('two approvers who approve what both read as the first approval do not decide the case together', async () => {
  const { requestId } = await waiting({ rewardTier: 97 });
  const read = await versionOf(requestId);
  expect(await versionOf(requestId, OTHER_APPROVER)).toBe(read);
  const { version } = await approve(requestId, APPROVER, read);
  expect(version).toBe(read + 1);
  expect(await codes(approve(requestId, OTHER_APPROVER, read))).toEqual(['review-changed version']);
  expect(await approve(requestId, OTHER_APPROVER, version)).toMatchObject({ status: 'approved', approvals: 2 });
});

it('a session that another request has named since the case was read must be read before an approval', async () => {
  const liveness = { id: 'session-shared-while-reading', provider: 'provider-1' };
  const { requestId } = await waiting({ liveness });
  const read = await versionOf(requestId);
  const { requestId: other } = await waiting({ liveness });
  expect(await codes(approve(requestId, APPROVER, read))).toEqual(['review-changed version']);
  // The case shows the sharing, and its version includes it, whether or not the policy has recorded it.
  const opened = await open(requestId, APPROVER);
  expect(opened?.livenessSharedWith).toEqual([other]);
  expect(await approve(requestId, APPROVER, opened?.item.version ?? 0)).toMatchObject({ approvals: 1 });
});

it('a verdict that changes after the first approval ends it', async () => {
  const hit = { list: 'un-consolidated', entryId: 'QDi.007', score: 93 };
  onboarding.vendors.screening.hits = [{ ...hit, matchedOn: 'JOANA LIMA' }];
  const { requestId } = await waiting();
  onboarding.vendors.screening.hits = [];
  const judge = (reason: contracts.VerdictReason, score = hit.score) =>
    onboarding.ask(contracts.JudgeScreeningHit, {
      ...{ requestId, staff: ANALYST, person: 'holder', ...hit, score },
      ...{ verdict: 'false-positive', reason, note: null },
    });
  expect(await codes(judge('name-differs', 80))).toEqual(['review-changed score']);
  await judge('name-differs');
  expect(await approveAsRead(onboarding, requestId, APPROVER)).toMatchObject({ approvals: 1 });
  expect(await judge('name-differs')).toMatchObject({ approvals: 1 });
  expect(await judge('birth-date-differs')).toMatchObject({ approvals: 0 });
  expect(await approveAsRead(onboarding, requestId, OTHER_APPROVER)).toMatchObject({ status: 'pending', approvals: 1 });
  expect(await approveAsRead(onboarding, requestId, APPROVER)).toMatchObject({ status: 'approved', approvals: 2 });
});
