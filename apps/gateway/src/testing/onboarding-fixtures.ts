import type { AccountRequestRecord, OnboardingMode } from '@ponte/contracts';
import {
  CancelAccountRequest,
  CreateAccountRequest,
  CreateRelianceRequest,
  DecideInSandbox,
  GetAccountRequest,
  ProvideInformation,
  RegisterEvidenceFile,
} from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { SAMPLE } from '../api/samples';
import type { StubBus } from './stub-bus';

/** The subject under which the identifier of the tests' account requests is sealed. */
export const HOLDER = 'a-holder';

export const requestRecord = (
  parentId: string,
  maskedIdentifier: Sealed,
  more: Partial<AccountRequestRecord> = {},
): AccountRequestRecord => ({
  requestId: SAMPLE.requestId,
  accountId: SAMPLE.accountId,
  parentId,
  mode: 'kyc',
  type: 'individual',
  status: 'pending',
  reviewStage: 'received',
  rewardTier: 90,
  maskedIdentifier,
  country: 'BRA',
  externalId: null,
  requirements: { complete: ['personal-data'], pending: ['screening', 'review'], missing: [], issues: [] },
  reason: null,
  failure: null,
  informationDueAt: null,
  createdAt: SAMPLE.time,
  statusUpdatedAt: SAMPLE.time,
  ...more,
});

/** Answers for onboarding: every parent has one request, that of {@link SAMPLE}, and every person is new. */
export function answerOnboarding(bus: StubBus, personalData: PersonalData): void {
  const record = async (parentId: string, more: Partial<AccountRequestRecord> = {}) =>
    requestRecord(parentId, await personalData.seal(HOLDER, '***.982.247-**'), more);
  const known = (requestId: string) =>
    requestId === SAMPLE.requestId
      ? requestId
      : refuse('account-request-not-found', 'there is no such account request', 'id');
  const created =
    (mode: OnboardingMode) =>
    async ({ parentId }: { parentId: string }) => ({ created: true, request: await record(parentId, { mode }) });
  bus.on(CreateAccountRequest, created('kyc'));
  bus.on(CreateRelianceRequest, created('reliance'));
  bus.on(GetAccountRequest, async ({ parentId, requestId }) =>
    requestId === SAMPLE.requestId ? record(parentId) : null,
  );
  bus.on(ProvideInformation, async ({ parentId, requestId }) =>
    record(parentId, { requestId: known(requestId), reviewStage: 'screening' }),
  );
  bus.on(CancelAccountRequest, async ({ parentId, requestId }) =>
    record(parentId, { requestId: known(requestId), status: 'cancelled', reviewStage: null }),
  );
  bus.on(DecideInSandbox, async ({ parentId, requestId, reason }) =>
    record(parentId, {
      requestId: known(requestId),
      status: 'rejected',
      reviewStage: null,
      reason: reason ?? 'compliance',
    }),
  );
  bus.on(RegisterEvidenceFile, (file) => ({ ...file, createdAt: SAMPLE.time, expiresAt: SAMPLE.later }));
}
