import type {
  AccountRequestEvent,
  AccountRequestStatus,
  LivenessRecorded,
  LivenessShared,
  ReviewCause,
  ReviewStage,
  ScreeningHitJudged,
  Timestamp,
} from '@ponte/contracts';
import type { AccountRequest, RequestTerms, OpenRequest } from './account-request.state';
import { latestWord } from '../liveness/liveness-words.domain';
import { isOpenRequest } from './account-request.state';
import { caseChange } from '../review/case-changes.domain';
import { isLivenessStale, withCauses, withDuplicates, withStoppedAccounts } from './findings.domain';
import { informed } from './parts.domain';

export function evolve(state: AccountRequest, event: AccountRequestEvent): AccountRequest {
  if (event.type === 'AccountRequested') return requested(event.data);
  if (event.type === 'AccountRequestAbandoned') return { status: 'abandoned' };
  if (!isOpenRequest(state)) throw new Error('an account request cannot change before it is made');
  const next = moved(state, event);
  const change = caseChange(event);
  return change === null ? next : { ...next, changes: [...next.changes, change] };
}

function requested(terms: RequestTerms): OpenRequest {
  const { details, requestedAt } = terms;
  const kyc = details.mode === 'kyc' ? details : null;
  const representative = kyc?.representative ?? null;
  return {
    status: 'pending',
    stage: 'received',
    terms,
    statusUpdatedAt: requestedAt,
    since: requestedAt,
    round: 0,
    screening: [],
    liveness: {},
    livenessNamedAt: requestedAt,
    hasFailedLiveness: false,
    sharedSessions: {},
    duplicates: [],
    verdicts: [],
    changes: [],
    causes: [],
    assignedTo: null,
    escalated: false,
    approvals: [],
    information: null,
    rejection: null,
    stepsDone: [],
    failures: 0,
    failure: null,
    accountClosedAt: null,
    parts: {
      holder: { address: kyc?.holder.address ?? null, document: kyc?.holder.document ?? null },
      representative: {
        address: representative?.address ?? null,
        document: representative?.document ?? null,
        powerOfAttorneyFileId: representative?.powerOfAttorneyFileId ?? null,
      },
      liveness: kyc?.liveness ?? null,
      otherFileIds: [],
      replacedFiles: [],
      notes: [],
    },
  };
}

type Move = Exclude<AccountRequestEvent, { type: 'AccountRequested' | 'AccountRequestAbandoned' }>;

function moved(state: OpenRequest, event: Move): OpenRequest {
  switch (event.type) {
    case 'ScreeningStarted':
      return { ...staged(state, 'screening', event.data.startedAt), round: event.data.round };
    case 'ScreeningRecorded':
      return { ...state, screening: [...state.screening, event.data] };
    case 'ScreeningRepeated':
      return doubted({ ...state, screening: [...state.screening, event.data] }, 'screening-hit');
    case 'LivenessRecorded':
      return livenessRecorded(state, event.data);
    case 'LivenessShared':
      return shared(state, event.data);
    case 'DuplicatesFound':
      return { ...state, duplicates: withDuplicates(state, event.data.duplicates), approvals: [] };
    case 'StoppedAccountsFound':
      return doubted(withStoppedAccounts(state, event.data.stoppedAccounts), 'account-stopped');
    case 'ReviewRequested':
      return { ...staged(state, 'manual-review', event.data.requestedAt), causes: event.data.causes, approvals: [] };
    case 'ReviewClaimed':
      return { ...state, assignedTo: event.data.staffId };
    case 'ReviewReleased':
      return { ...state, assignedTo: null };
    case 'ReviewEscalated':
      return { ...state, escalated: true, assignedTo: null };
    case 'ScreeningHitJudged':
      return judged(state, event.data);
    case 'ReviewDecided':
      return decided(state, event.data);
    case 'InformationRequested': {
      const { items, issues, dueAt, requestedAt } = event.data;
      return {
        ...staged(state, 'information-requested', requestedAt),
        information: { items, missing: items, issues, dueAt },
      };
    }
    case 'InformationProvided':
      return informed(state, event.data);
    case 'AccountRequestApproved':
      return ended(state, 'approved', event.data.approvedAt);
    case 'AccountRequestRejected':
      return {
        ...ended(state, 'rejected', event.data.rejectedAt),
        rejection: { reason: event.data.reason, shown: event.data.shownReason },
      };
    case 'AccountRequestExpired':
      return ended(state, 'expired', event.data.expiredAt);
    case 'AccountRequestCancelled':
      return ended(state, 'cancelled', event.data.cancelledAt);
    case 'ProvisioningStepDone':
      return { ...state, stepsDone: [...state.stepsDone, event.data.step] };
    case 'ProvisioningFailed': {
      const { failure, failures, failedAt, retryAt } = event.data;
      return { ...ended(state, 'provisioning-failed', failedAt), failures, failure: { failure, retryAt } };
    }
    case 'ProvisioningRetried':
      return { ...ended(state, 'approved', event.data.retriedAt), failure: null };
    case 'AccountRequestActivated':
      return { ...ended(state, 'active', event.data.activatedAt), failures: 0, failure: null };
    case 'RequestedAccountClosed':
      return { ...state, accountClosedAt: event.data.closedAt };
  }
}

const livenessRecorded = (state: OpenRequest, result: LivenessRecorded['data']): OpenRequest => {
  const { sessionFingerprint: session, outcome, sharedWith = [] } = result;
  const known = {
    ...{ ...state, liveness: { ...state.liveness, [session]: latestWord(state.liveness[session], result) } },
    hasFailedLiveness: state.hasFailedLiveness || outcome === 'failed',
  };
  const doubts: readonly ReviewCause[] = [
    ...(outcome === 'failed' ? ['liveness-failed' as const] : []),
    ...(sharedWith.length > 0 ? ['liveness-shared' as const] : []),
    ...(isLivenessStale(known) ? ['liveness-old' as const] : []),
  ];
  return doubts.length > 0 ? doubted(known, ...doubts) : known;
};

const shared = (state: OpenRequest, { sessionFingerprint, sharedWith }: LivenessShared['data']): OpenRequest =>
  doubted(
    { ...state, sharedSessions: { ...state.sharedSessions, [sessionFingerprint]: sharedWith } },
    'liveness-shared',
  );

/** Two approvers have to judge what was found, so earlier approvals no longer count. */
const doubted = (state: OpenRequest, ...doubts: readonly ReviewCause[]): OpenRequest => ({
  ...state,
  approvals: [],
  // Before the review stage, the causes are determined later.
  causes: state.stage === 'manual-review' ? withCauses(state.causes, ...doubts, 'four-eyes') : state.causes,
});

/** An approver who approved before has not read the verdict. */
const judged = (state: OpenRequest, verdict: ScreeningHitJudged['data']): OpenRequest => ({
  ...state,
  verdicts: [...state.verdicts, verdict],
  approvals: [],
  causes: verdict.verdict === 'true-match' ? withCauses(state.causes, 'true-match') : state.causes,
});

const staged = (state: OpenRequest, stage: ReviewStage, since: Timestamp): OpenRequest => ({
  ...state,
  stage,
  since,
  assignedTo: null,
});

const ended = (state: OpenRequest, status: AccountRequestStatus, at: Timestamp): OpenRequest => ({
  ...state,
  status,
  stage: null,
  statusUpdatedAt: at,
  since: at,
  assignedTo: null,
  left: { stage: state.stage, missing: state.information?.missing ?? [] },
  information: null,
});

/** The first of two approvals unassigns the case, so that another approver can claim it. */
const decided = (
  state: OpenRequest,
  { decision, staffId }: { decision: string; staffId: string | null },
): OpenRequest =>
  decision === 'approve' && staffId !== null
    ? { ...state, approvals: [...state.approvals, staffId], assignedTo: null }
    : state;
