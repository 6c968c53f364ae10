import type {
  AccountRequested,
  AccountRequestEvent,
  AccountRequestStatus,
  DocumentFiles,
  Failure,
  InformationItem,
  InternalReason,
  LivenessRecorded,
  LivenessSession,
  LivenessShared,
  PartnerReason,
  ProvisioningStep,
  ReviewCause,
  ReviewStage,
  ScreeningHitJudged,
  ScreeningRecorded,
  Timestamp,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { NamedFile } from './files.domain';
import { replacedBy } from './files.domain';

export type RequestTerms = AccountRequested['data'];

/** The parts of the request that information sent later can change, as they now stand. */
export interface CurrentParts {
  readonly holder: { readonly address: Sealed | null; readonly document: DocumentFiles | null };
  readonly representative: {
    readonly address: Sealed | null;
    readonly document: DocumentFiles | null;
    readonly powerOfAttorneyFileId: string | null;
  };
  readonly liveness: LivenessSession | null;
  readonly otherFileIds: readonly string[];
  /** Documents that information sent later has replaced, the latest first. */
  readonly replacedFiles: readonly NamedFile[];
  readonly notes: readonly { readonly note: Sealed; readonly at: Timestamp }[];
}

export interface OpenRequest {
  readonly status: AccountRequestStatus;
  /** While pending. */
  readonly stage: ReviewStage | null;
  readonly terms: RequestTerms;
  readonly parts: CurrentParts;
  readonly statusUpdatedAt: Timestamp;
  /** When it came to where it stands, stages included. */
  readonly since: Timestamp;
  /** Of screening; 0 before the first. */
  readonly round: number;
  readonly screening: readonly ScreeningRecorded['data'][];
  /** The latest word about each session, by its fingerprint. */
  readonly liveness: Readonly<Record<string, LivenessRecorded['data']>>;
  /**
   * Requests of other people that came to name a session of this one after its result was recorded, by the session's
   * fingerprint.
   */
  readonly sharedSessions: Readonly<Record<string, readonly string[]>>;
  /** What staff found about the hits, oldest first. */
  readonly verdicts: readonly ScreeningHitJudged['data'][];
  readonly causes: readonly ReviewCause[];
  readonly assignedTo: string | null;
  readonly escalated: boolean;
  /** Staff who approved since the case last came to the queue. */
  readonly approvals: readonly string[];
  readonly information: {
    readonly items: readonly InformationItem[];
    readonly issues: readonly PartnerReason[];
    readonly dueAt: Timestamp;
  } | null;
  readonly rejection: { readonly reason: InternalReason; readonly shown: PartnerReason } | null;
  readonly stepsDone: readonly ProvisioningStep[];
  readonly failures: number;
  readonly failure: { readonly failure: Failure; readonly retryAt: Timestamp } | null;
}

export type AccountRequest = { readonly status: 'absent' } | { readonly status: 'abandoned' } | OpenRequest;

/** It ended in a way that frees its identifier and its wallets. */
export function isFreed(state: AccountRequest): boolean {
  switch (state.status) {
    case 'abandoned':
    case 'rejected':
    case 'expired':
    case 'cancelled':
      return true;
    case 'absent':
    case 'pending':
    case 'approved':
    case 'provisioning-failed':
    case 'active':
      return false;
  }
}

/** The person whom a role of the request is; null when no one has it. */
export function subjectIdOf(
  { terms: { details } }: Pick<OpenRequest, 'terms'>,
  person: NamedFile['person'],
): string | null {
  if (person === 'holder') return details.holder.subjectId;
  return details.mode === 'kyc' ? (details.representative?.subjectId ?? null) : null;
}

export const isOpenRequest = (state: AccountRequest): state is OpenRequest =>
  state.status !== 'absent' && state.status !== 'abandoned';

export function evolve(state: AccountRequest, event: AccountRequestEvent): AccountRequest {
  if (event.type === 'AccountRequested') return requested(event.data);
  if (event.type === 'AccountRequestAbandoned') return { status: 'abandoned' };
  if (!isOpenRequest(state)) throw new Error('an account request cannot change before it is made');
  return moved(state, event);
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
    sharedSessions: {},
    verdicts: [],
    causes: [],
    assignedTo: null,
    escalated: false,
    approvals: [],
    information: null,
    rejection: null,
    stepsDone: [],
    failures: 0,
    failure: null,
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
    case 'LivenessRecorded':
      return { ...state, liveness: { ...state.liveness, [event.data.sessionFingerprint]: event.data } };
    case 'LivenessShared':
      return shared(state, event.data);
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
      return { ...staged(state, 'information-requested', requestedAt), information: { items, issues, dueAt } };
    }
    case 'InformationProvided':
      return { ...state, information: null, parts: withInformation(state.parts, event.data) };
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
  }
}

const shared = (state: OpenRequest, { sessionFingerprint, sharedWith }: LivenessShared['data']): OpenRequest => ({
  ...state,
  sharedSessions: { ...state.sharedSessions, [sessionFingerprint]: sharedWith },
  approvals: [],
  // Before it comes to review, the causes are yet to be found.
  causes: state.stage === 'manual-review' ? withCauses(state.causes, 'liveness-shared', 'four-eyes') : state.causes,
});

const judged = (state: OpenRequest, verdict: ScreeningHitJudged['data']): OpenRequest => ({
  ...state,
  verdicts: [...state.verdicts, verdict],
  causes: verdict.verdict === 'true-match' ? withCauses(state.causes, 'true-match') : state.causes,
});

const withCauses = (causes: readonly ReviewCause[], ...more: ReviewCause[]): ReviewCause[] => [
  ...new Set([...causes.filter((cause) => cause !== 'standard'), ...more]),
];

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
  information: null,
});

/** The first of two approvals frees the case for the other approver. */
const decided = (
  state: OpenRequest,
  { decision, staffId }: { decision: string; staffId: string | null },
): OpenRequest =>
  decision === 'approve' && staffId !== null
    ? { ...state, approvals: [...state.approvals, staffId], assignedTo: null }
    : state;

function withInformation(
  parts: CurrentParts,
  sent: Extract<AccountRequestEvent, { type: 'InformationProvided' }>['data'],
): CurrentParts {
  return {
    holder: {
      address: sent.holder.address ?? parts.holder.address,
      document: sent.holder.document ?? parts.holder.document,
    },
    representative: {
      address: sent.representative.address ?? parts.representative.address,
      document: sent.representative.document ?? parts.representative.document,
      powerOfAttorneyFileId: sent.representative.powerOfAttorneyFileId ?? parts.representative.powerOfAttorneyFileId,
    },
    liveness: sent.liveness ?? parts.liveness,
    otherFileIds: [...parts.otherFileIds, ...sent.otherFileIds],
    replacedFiles: [...replacedBy(sent, parts), ...parts.replacedFiles],
    notes: sent.note === null ? parts.notes : [...parts.notes, { note: sent.note, at: sent.providedAt }],
  };
}
