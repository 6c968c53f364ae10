import type { AccountRequestStatus, AccountStanding } from '@ponte/contracts';
import {
  ApproveReview,
  AskInformation,
  ClaimReview,
  CloseFreezeRequest,
  ConfirmAccountClosing,
  ConfirmAccountFreeze,
  ConfirmAccountRelease,
  ErasePerson,
  EscalateReview,
  GetAccountStanding,
  GetReviewHistory,
  GetStaffUser,
  JudgeScreeningHit,
  ListFrozenAccounts,
  ListReviewQueue,
  OpenPrivacyReport,
  OpenAccountStanding,
  OpenReviewCase,
  OpenReviewFile,
  RejectReview,
  ReleaseReview,
  RequestAccountClosing,
  RequestAccountFreeze,
  RequestAccountRelease,
  SignInStaff,
  localStaffId,
  openInTransit,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { SAMPLE } from '../api/samples';
import type { StubBus } from './stub-bus';
import { FILE, reviewCase } from './review-cases';
import { STAFF, STAFF_PASSWORD } from './staff-members';
import { CASE_FILE, CASE_HOLDER, queueItem } from './queue-items';

/** Answers with one case and the staff members who review it. */
export function answerReview(bus: StubBus, personalData: PersonalData): void {
  const known = (requestId: string) =>
    requestId === SAMPLE.requestId
      ? requestId
      : refuse('account-request-not-found', 'there is no such account request', 'id');
  const decided =
    (status: AccountRequestStatus) =>
    ({ requestId }: { requestId: string }) =>
      queueItem({ requestId: known(requestId), status, reviewStage: status === 'pending' ? 'manual-review' : null });
  const users = Object.values(STAFF);
  bus.on(SignInStaff, async ({ staffId, password }) => {
    const { secret } = await openInTransit<{ readonly secret: string }>(personalData, password);
    return secret === STAFF_PASSWORD ? (users.find((one) => localStaffId(one.name) === staffId) ?? null) : null;
  });
  bus.on(GetStaffUser, ({ staffId }) => users.find((one) => one.staffId === staffId) ?? null);
  bus.on(ListReviewQueue, ({ cursor }) => ({
    items: [queueItem(), queueItem({ assignedTo: null })],
    next: cursor ? null : { createdAt: SAMPLE.time, id: SAMPLE.requestId },
    counts: { 'manual-review': 2 },
  }));
  bus.on(GetReviewHistory, async ({ requestId }) => {
    const { history, item, checklist, approvals } = await reviewCase(personalData);
    return requestId === SAMPLE.requestId ? { entries: history, item, checklist, approvals } : null;
  });
  bus.on(OpenReviewCase, async ({ requestId }) => (requestId === SAMPLE.requestId ? reviewCase(personalData) : null));
  bus.on(OpenReviewFile, ({ fileId }) => (fileId === CASE_FILE ? FILE : null));
  bus.on(ClaimReview, decided('pending'));
  bus.on(ReleaseReview, decided('pending'));
  bus.on(EscalateReview, decided('pending'));
  bus.on(AskInformation, decided('pending'));
  bus.on(JudgeScreeningHit, decided('pending'));
  bus.on(ApproveReview, decided('approved'));
  bus.on(RejectReview, decided('rejected'));
  const standing = async (accountId: string): Promise<AccountStanding> => ({
    account: {
      accountId,
      parentId: null,
      alias: 'Partner',
      status: 'frozen',
      pendingStep: 'release',
      pendingSince: SAMPLE.time,
      externalId: null,
      onboardingMode: 'kyc',
      capabilities: [],
      taxIdFingerprint: 'f'.repeat(64),
      createdAt: SAMPLE.time,
    },
    pending: {
      request: 2,
      step: 'release',
      reason: 'resolved',
      evidence: await personalData.seal(CASE_HOLDER, 'Canary evidence'),
      requestedBy: STAFF.analyst.staffId,
      requestedAt: SAMPLE.time,
    },
    freezes: [
      { reason: 'pix-taken-back', evidence: null, requestedBy: null, confirmedBy: null, frozenAt: SAMPLE.time },
    ],
    history: [{ type: 'frozen', reason: 'pix-taken-back', staff: [], at: SAMPLE.time }],
  });
  bus.on(ListFrozenAccounts, async () => ({ items: [(await standing(SAMPLE.accountId)).account], next: null }));
  bus.on(GetAccountStanding, async ({ accountId }) => unopened(await standing(accountId)));
  for (const definition of [
    OpenAccountStanding,
    RequestAccountFreeze,
    RequestAccountRelease,
    ConfirmAccountFreeze,
    ConfirmAccountRelease,
    CloseFreezeRequest,
    ConfirmAccountClosing,
  ]) {
    bus.on(definition as typeof OpenAccountStanding, ({ accountId }) => standing(accountId));
  }
  bus.on(RequestAccountClosing, async ({ accountId, writeOff }) => {
    const { pending, ...rest } = await standing(accountId);
    return { ...rest, pending: pending && { ...pending, step: 'close' as const, ...(writeOff && { writeOff }) } };
  });
  bus.on(OpenPrivacyReport, ({ person }) =>
    person.kind !== 'request' || person.requestId === SAMPLE.requestId
      ? {
          subjectId: CASE_HOLDER,
          status: 'held' as const,
          holdings: [
            {
              kind: 'account-request' as const,
              id: SAMPLE.requestId,
              role: 'holder' as const,
              categories: ['name'],
              purpose: 'kyc',
              legalBasis: 'law',
              since: SAMPLE.time,
              retainedUntil: SAMPLE.later,
            },
          ],
          views: [
            {
              staffId: STAFF.analyst.staffId,
              roles: STAFF.analyst.roles,
              purpose: 'review' as const,
              what: 'case' as const,
              viewedAt: SAMPLE.time,
              requestId: SAMPLE.requestId,
            },
          ],
        }
      : null,
  );
  bus.on(ErasePerson, () => ({ subjectId: CASE_HOLDER, outcome: 'erased' as const, retainedUntil: SAMPLE.later }));
}

/** The standing of an account whose evidence was not opened. */
function unopened({ pending, freezes, ...rest }: AccountStanding): AccountStanding {
  const without = <T extends { evidence?: unknown }>({ evidence: _, ...shown }: T): Omit<T, 'evidence'> => shown;
  return { ...rest, pending: pending && without(pending), freezes: freezes.map(without) };
}
