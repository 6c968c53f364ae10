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
import type { NamedFile } from './files.domain';

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
