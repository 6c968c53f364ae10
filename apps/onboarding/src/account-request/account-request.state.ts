import type {
  AccountRequested,
  AccountRequestStatus,
  DocumentFiles,
  Failure,
  InformationItem,
  InternalReason,
  LivenessRecorded,
  LivenessSession,
  PartnerReason,
  ProvisioningStep,
  ReviewCause,
  ReviewStage,
  ScreeningHitJudged,
  ScreeningRecorded,
  Timestamp,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';

export type RequestTerms = AccountRequested['data'];

/** A file that the request names, with the person whom it shows. */
export interface NamedFile {
  readonly label: string;
  readonly fileId: string;
  readonly person: 'holder' | 'representative';
}

/** The current state of the parts of the request that later information can change. */
export interface CurrentParts {
  readonly holder: { readonly address: Sealed | null; readonly document: DocumentFiles | null };
  readonly representative: {
    readonly address: Sealed | null;
    readonly document: DocumentFiles | null;
    readonly powerOfAttorneyFileId: string | null;
  };
  readonly liveness: LivenessSession | null;
  readonly otherFileIds: readonly string[];
  /** Documents that later information has replaced, latest first. */
  readonly replacedFiles: readonly NamedFile[];
  readonly notes: readonly { readonly note: Sealed; readonly at: Timestamp }[];
}

export interface OpenRequest {
  readonly status: AccountRequestStatus;
  /** Null unless the request is pending. */
  readonly stage: ReviewStage | null;
  readonly terms: RequestTerms;
  readonly parts: CurrentParts;
  readonly statusUpdatedAt: Timestamp;
  /** When the current status or stage began. */
  readonly since: Timestamp;
  /** The screening round; 0 before the first. */
  readonly round: number;
  readonly screening: readonly ScreeningRecorded['data'][];
  /** The latest result of each session, by the session's fingerprint. */
  readonly liveness: Readonly<Record<string, LivenessRecorded['data']>>;
  /** When the request named the session that it names now. */
  readonly livenessNamedAt: Timestamp;
  /** Whether the provider ever reported that a session failed, even if it corrected the result later. */
  readonly hasFailedLiveness: boolean;
  /** Other people's requests that named a session after its result was recorded, by the session's fingerprint. */
  readonly sharedSessions: Readonly<Record<string, readonly string[]>>;
  /** Requests with the same data that the case has shown, each as kind and id. */
  readonly duplicates: readonly string[];
  /** Stopped accounts of the people that were found after screening; absent if there are none. */
  readonly stoppedAccounts?: readonly string[];
  /** The verdicts of staff on the hits, oldest first. */
  readonly verdicts: readonly ScreeningHitJudged['data'][];
  /** What changed in the case that reviewers read, oldest first; see `caseChange`. */
  readonly changes: readonly string[];
  readonly causes: readonly ReviewCause[];
  readonly assignedTo: string | null;
  readonly escalated: boolean;
  /** Staff who approved the request since it last entered the queue. */
  readonly approvals: readonly string[];
  readonly information: {
    readonly items: readonly InformationItem[];
    /** The items that have not arrived yet. */
    readonly missing: readonly InformationItem[];
    readonly issues: readonly PartnerReason[];
    readonly dueAt: Timestamp;
  } | null;
  /** The stage in which the request left review, and the requested items that had not arrived; absent before. */
  readonly left?: { readonly stage: ReviewStage | null; readonly missing: readonly InformationItem[] };
  readonly rejection: { readonly reason: InternalReason; readonly shown: PartnerReason } | null;
  readonly stepsDone: readonly ProvisioningStep[];
  readonly failures: number;
  readonly failure: { readonly failure: Failure; readonly retryAt: Timestamp } | null;
  /** When the account of the request was closed; null before. */
  readonly accountClosedAt: Timestamp | null;
}

export type AccountRequest = { readonly status: 'absent' } | { readonly status: 'abandoned' } | OpenRequest;

/** Whether the request ended without an account, or its account was closed: its identifier and wallets are free. */
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
      return false;
    case 'active':
      return state.accountClosedAt !== null;
  }
}

/** Whether the request was approved, so the person has an account from it, or will have one once it is provisioned. */
export const isApproved = (state: AccountRequest): state is OpenRequest =>
  isOpenRequest(state) && state.status !== 'pending' && !isFreed(state);

/** The subject id of the person in a role of the request; null if the role is empty. */
export function subjectIdOf(
  { terms: { details } }: Pick<OpenRequest, 'terms'>,
  person: NamedFile['person'],
): string | null {
  if (person === 'holder') return details.holder.subjectId;
  return details.mode === 'kyc' ? (details.representative?.subjectId ?? null) : null;
}

/** Whether the request was created and not abandoned. It may have been decided since. */
export const isOpenRequest = (state: AccountRequest): state is OpenRequest =>
  state.status !== 'absent' && state.status !== 'abandoned';

/**
 * Whether the request names the person: the one that was made may name a representative other than the one mentioned
 * before.
 */
export const isNamedIn = (
  state: AccountRequest,
  person: NamedFile['person'],
  subjectId: string,
): state is OpenRequest => isOpenRequest(state) && subjectIdOf(state, person) === subjectId;
