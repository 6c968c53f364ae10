import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { Failure, Page, PageRequest, Timestamp } from '../../shared';
import type { AccountRequestStatus, ReviewStage } from '../../state-machines';
import type { OnboardingMode } from '../events';
import type { EvidenceContentType, EvidencePurpose } from '../evidence-events';
import type { InformationItem, PartnerReason } from '../review/review-words';

const { command, query } = requestsOf('onboarding');

/** The name of a part of the request in its requirements. */
export type RequirementName = 'personal-data' | 'screening' | 'review' | 'provisioning' | InformationItem;

/** What is complete, what is being processed, what the partner has to send, and why. */
export interface Requirements {
  readonly complete: readonly RequirementName[];
  readonly pending: readonly RequirementName[];
  readonly missing: readonly RequirementName[];
  readonly issues: readonly PartnerReason[];
}

/** An account request as shown to its partner. */
export interface AccountRequestRecord {
  readonly requestId: string;
  readonly accountId: string;
  readonly parentId: string;
  readonly mode: OnboardingMode;
  readonly type: 'individual';
  readonly status: AccountRequestStatus;
  /** While pending; null afterwards. */
  readonly reviewStage: ReviewStage | null;
  readonly rewardTier: RewardTier;
  /** Masked, and sealed under the person; `[erased]` when opened after an erasure. */
  readonly maskedIdentifier: Sealed;
  readonly country: string;
  readonly externalId: string | null;
  readonly requirements: Requirements;
  /** The reason shown to the partner when it was rejected or has expired. */
  readonly reason: PartnerReason | null;
  /** Set after a failed provisioning. */
  readonly failure: Failure | null;
  /** Until when requested information can be sent. */
  readonly informationDueAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly statusUpdatedAt: Timestamp;
}

/** `created` is false when the person already had a request under this parent, which is then returned (HTTP 200). */
export interface RequestedAccount {
  readonly created: boolean;
  readonly request: AccountRequestRecord;
}

/**
 * `body`: `sealRequest(personalData, ClearKycRequest)`. The gateway has checked its shape; the twelve rules are checked
 * here, in the documented order. Idempotent by (parent, identifier).
 */
export const CreateAccountRequest = command<{ parentId: string; body: Sealed }, RequestedAccount>(
  'create-account-request',
  'parentId',
);
/** `body`: `sealRequest(personalData, ClearRelianceRequest)`. */
export const CreateRelianceRequest = command<{ parentId: string; body: Sealed }, RequestedAccount>(
  'create-reliance-request',
  'parentId',
);
/**
 * `body`: `sealRequest(personalData, ClearInformation)`. Refuses `account-request-not-found`,
 * `information-not-requested` and the codes of rules 5, 6, 10, 11.
 */
export const ProvideInformation = command<{ parentId: string; requestId: string; body: Sealed }, AccountRequestRecord>(
  'provide-information',
  'requestId',
);
/** Idempotent. Refuses `account-request-not-pending`. */
export const CancelAccountRequest = command<{ parentId: string; requestId: string }, AccountRequestRecord>(
  'cancel-account-request',
  'requestId',
);
/** Null when the parent has no such request. */
export const GetAccountRequest = query<{ parentId: string; requestId: string }, AccountRequestRecord | null>(
  'get-account-request',
  'requestId',
);
export const ListAccountRequests = query<
  { parentId: string; status: AccountRequestStatus | null; externalId: string | null; page: PageRequest },
  Page<AccountRequestRecord>
>('list-account-requests', 'parentId');

/** A file as shown to the partner that uploaded it. Its bytes are never returned. */
export interface EvidenceFileRecord {
  readonly fileId: string;
  readonly parentId: string;
  readonly purpose: EvidencePurpose;
  readonly contentType: EvidenceContentType;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/**
 * Sent after the bytes were stored in the blob store under `fileId` (`evidenceFileId`). Refuses `limit-exceeded` when
 * the parent has too many files without a request.
 */
export const RegisterEvidenceFile = command<Omit<EvidenceFileRecord, 'createdAt' | 'expiresAt'>, EvidenceFileRecord>(
  'register-evidence-file',
  'fileId',
);

/** The content of a provider's callback, after the adapter has checked its signature. Unknown sessions are ignored. */
export const RecordLiveness = command<
  {
    provider: string;
    sessionId: Sealed;
    providerEventId: string;
    outcome: 'passed' | 'failed' | 'pending';
    decidedAt: Timestamp;
  },
  { known: boolean }
>('record-liveness');

/** Sandbox only: decides without staff and without four eyes. Decided requests are returned unchanged. */
export const DecideInSandbox = command<
  {
    parentId: string;
    requestId: string;
    decision: 'approve' | 'reject' | 'ask-information';
    reason: PartnerReason | null;
    items: readonly InformationItem[];
  },
  AccountRequestRecord
>('decide-in-sandbox', 'requestId');
