import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { Failure, Page, PageRequest, Timestamp } from '../../shared';
import type { AccountRequestStatus, ReviewStage } from '../../state-machines';
import type { OnboardingMode } from '../events';
import type { EvidenceContentType, EvidencePurpose } from '../evidence-events';
import type { InformationItem, PartnerReason } from '../review/review-words';

const { command, query } = requestsOf('onboarding');

/** A part of the request as its requirements name it. */
export type RequirementName = 'personal-data' | 'screening' | 'review' | 'provisioning' | InformationItem;

/** What is done, what is being looked at, what the partner has to send, and why. */
export interface Requirements {
  readonly complete: readonly RequirementName[];
  readonly pending: readonly RequirementName[];
  readonly missing: readonly RequirementName[];
  readonly issues: readonly PartnerReason[];
}

/** An account request as its partner may see it. */
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
  /** Masked already and sealed under the person; `[erased]` when opened after an erasure. */
  readonly maskedIdentifier: Sealed;
  readonly country: string;
  readonly externalId: string | null;
  readonly requirements: Requirements;
  /** Of a rejected or expired one, what the partner may know. */
  readonly reason: PartnerReason | null;
  /** Of a failed provisioning. */
  readonly failure: Failure | null;
  /** Until when asked information is waited for. */
  readonly informationDueAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly statusUpdatedAt: Timestamp;
}

/** `created` false: the person had a request under this parent, and that is the answer (HTTP 200). */
export interface RequestedAccount {
  readonly created: boolean;
  readonly request: AccountRequestRecord;
}

/**
 * `body`: `sealRequest(personalData, ClearKycRequest)`. The edge has judged its shape; the twelve rules are judged
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
/** Only while pending, else `account-request-not-pending`; a cancelled one is answered. */
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

/** What a partner sees of a file that it uploaded. Its bytes are never returned. */
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
 * Sent when the bytes are in the blob store under `fileId` (`evidenceFileId`). Refuses `limit-exceeded` when the parent
 * has too many that no request names.
 */
export const RegisterEvidenceFile = command<
  {
    fileId: string;
    parentId: string;
    purpose: EvidencePurpose;
    contentType: EvidenceContentType;
    sizeBytes: number;
    sha256: string;
  },
  EvidenceFileRecord
>('register-evidence-file', 'fileId');

/** What a provider's callback says, once the adapter has checked its signature. An unknown session is nothing. */
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

/**
 * Sandbox alone: a decision without a person of compliance, and without four eyes. Decided requests are answered as
 * they stand.
 */
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
