import type {
  AccountRequestStatus,
  AccountStanding,
  EvidenceFileRecord,
  QueueItem,
  ReviewCase,
  SealedKycPerson,
  StaffRole,
  StaffUserRecord,
} from '@ponte/contracts';
import {
  ApproveReview,
  AskInformation,
  ClaimReview,
  CloseFreezeRequest,
  ConfirmAccountFreeze,
  ConfirmAccountRelease,
  GetAccountStanding,
  ListFrozenAccounts,
  RequestAccountFreeze,
  RequestAccountRelease,
  ErasePerson,
  EscalateReview,
  GetReviewHistory,
  GetStaffUser,
  JudgeScreeningHit,
  ListReviewQueue,
  openInTransit,
  OpenPrivacyReport,
  OpenReviewCase,
  OpenReviewFile,
  RejectReview,
  ReleaseReview,
  SignInStaff,
  localStaffId,
} from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { derivedId, refuse } from '@ponte/kernel';
import { SAMPLE } from '../api/samples';
import { requestRecord } from './onboarding-fixtures';
import type { StubBus } from './stub-bus';

const member = (name: string, role: StaffRole): StaffUserRecord => ({
  staffId: derivedId('staff-user', name),
  name,
  roles: [role],
});

/** Who of the staff there is; every one of them has the same password. */
export const STAFF = {
  analyst: member('analyst', 'compliance-analyst'),
  approver: member('approver', 'compliance-approver'),
  operator: member('operator', 'operator'),
  auditor: member('auditor', 'auditor'),
};
export const STAFF_PASSWORD = 'correct horse battery staple';
/** The holder of the one case that there is. */
export const CASE_HOLDER = '0190f8a4-0000-7000-8000-00000000ca5e';
export const CASE_FILE = SAMPLE.fileId;

export const queueItem = (more: Partial<QueueItem> = {}): QueueItem => ({
  requestId: SAMPLE.requestId,
  parentId: SAMPLE.parentId,
  parentAlias: 'Partner',
  accountId: SAMPLE.accountId,
  mode: 'kyc',
  status: 'pending',
  reviewStage: 'manual-review',
  rewardTier: 90,
  country: 'BRA',
  causes: ['standard'],
  fourEyes: false,
  approvals: 0,
  escalated: false,
  assignedTo: STAFF.analyst.staffId,
  externalId: null,
  createdAt: SAMPLE.time,
  statusUpdatedAt: SAMPLE.time,
  stageSince: SAMPLE.time,
  informationDueAt: null,
  ...more,
});

const FILE: EvidenceFileRecord = {
  fileId: CASE_FILE,
  parentId: SAMPLE.parentId,
  purpose: 'document-front',
  contentType: 'image/png',
  sizeBytes: 4,
  sha256: 'ab'.repeat(32),
  createdAt: SAMPLE.time,
  expiresAt: SAMPLE.later,
};

export async function sealedPerson(seal: (text: string) => Promise<Sealed>): Promise<SealedKycPerson> {
  const [identifier, maskedIdentifier, firstName, lastName, dateOfBirth, address, pep] = await Promise.all([
    seal('52998224725'),
    seal('***.982.247-**'),
    seal('Canária'),
    seal('de Souza'),
    seal('1990-05-17'),
    seal(
      JSON.stringify({
        postalCode: '01310-100',
        line1: 'Canary Avenue 1',
        line2: '',
        city: 'São Paulo',
        state: 'SP',
        country: 'BRA',
      }),
    ),
    seal(JSON.stringify({ declared: false, fullName: null, role: null, relationship: null })),
  ] as const);
  return {
    subjectId: CASE_HOLDER,
    identifierFingerprint: 'f'.repeat(64),
    country: 'BRA',
    identifier,
    maskedIdentifier,
    taxResidence: 'BRA',
    firstName,
    lastName,
    dateOfBirth,
    address,
    pep,
    document: { type: 'cnh', frontFileId: CASE_FILE, backFileId: null },
  };
}

export async function reviewCase(personalData: PersonalData): Promise<ReviewCase> {
  const seal = (text: string) => personalData.seal(CASE_HOLDER, text);
  const holder = await sealedPerson(seal);
  return {
    item: queueItem(),
    request: requestRecord(SAMPLE.parentId, holder.maskedIdentifier),
    details: {
      mode: 'kyc',
      holder,
      email: await seal('canary@example.com'),
      phone: await seal('+55 11 91234-5678'),
      motherFullName: await seal('Canary Mother'),
      financialProfile: await seal(
        JSON.stringify({
          sector: 'other',
          currency: 'BRL',
          monthlyIncome: 8500.5,
          netWorth: null,
          sourceOfFunds: ['salary'],
        }),
      ),
      liveness: { provider: 'provider-1', id: await seal('session-1'), fingerprint: 'e'.repeat(64) },
      representative: { ...(await sealedPerson(seal)), powerOfAttorneyFileId: CASE_FILE },
    },
    externalWallets: [
      {
        address: SAMPLE.wallet,
        custodyType: 'exchange',
        custodyCountry: 'USA',
        custodianName: await seal('An Exchange'),
        proven: true,
      },
    ],
    files: [{ ...FILE, label: 'document, front' }],
    screening: [
      {
        person: 'holder',
        round: 1,
        recordedAt: SAMPLE.time,
        hits: [
          {
            list: 'un-consolidated',
            entryId: 'QDi.001',
            score: 92.5,
            match: await seal('canária de souza'),
            verdict: {
              verdict: 'false-positive',
              reason: 'birth-date-differs',
              note: await seal('Twenty years apart'),
              staffId: STAFF.analyst.staffId,
              judgedAt: SAMPLE.time,
            },
          },
        ],
      },
    ],
    liveness: { provider: 'provider-1', outcome: 'passed', decidedAt: SAMPLE.time },
    livenessSharedWith: [SAMPLE.accountId],
    duplicates: [
      {
        kind: 'email',
        requests: [{ requestId: SAMPLE.orderId, status: 'rejected', parentAlias: 'Partner', samePerson: false }],
      },
    ],
    checklist: [{ check: 'rule-4', title: 'The holder is 18 or older', outcome: 'passed' }],
    approvals: [STAFF.approver.staffId],
    internalReason: null,
    notes: [{ note: await seal('A new photograph'), at: SAMPLE.time }],
    staffNotes: [
      {
        type: 'ReviewEscalated',
        staffId: STAFF.analyst.staffId,
        note: await seal('Looks like an entry'),
        at: SAMPLE.time,
      },
    ],
    history: [
      {
        type: 'ReviewClaimed',
        at: SAMPLE.time,
        actor: STAFF.analyst.staffId,
        facts: { staffId: STAFF.analyst.staffId, subjectId: CASE_HOLDER },
      },
    ],
    views: [
      {
        staffId: STAFF.analyst.staffId,
        roles: ['compliance-analyst'],
        purpose: 'review',
        what: 'case',
        viewedAt: SAMPLE.time,
        note: await seal('asked on the telephone'),
      },
    ],
    restricted: false,
  };
}

/** One case, and the staff that looks at it. */
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
      externalId: null,
      onboardingMode: 'kyc',
      capabilities: [],
      taxIdFingerprint: 'f'.repeat(64),
      createdAt: SAMPLE.time,
    },
    pending: {
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
  for (const definition of [
    GetAccountStanding,
    RequestAccountFreeze,
    RequestAccountRelease,
    ConfirmAccountFreeze,
    ConfirmAccountRelease,
    CloseFreezeRequest,
  ]) {
    bus.on(definition as typeof GetAccountStanding, ({ accountId }) => standing(accountId));
  }
  bus.on(OpenPrivacyReport, ({ person }) =>
    person.kind === 'identifier' || person.requestId === SAMPLE.requestId
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
