import type { Sealed } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { Failure, Timestamp } from '../../shared';
import { RequestedAccountClosed } from '../closing-events';
import type { OnboardingMode } from '../events';
import { DuplicatesFound } from '../trait-events';
import type { RequestIdentity, LivenessSession, RequestDetails, SealedExternalWallet } from './request-details';
import type { DocumentFiles } from './request-form';
import type { InformationItem, InternalReason, PartnerReason } from '../review/review-words';
import { REVIEW_EVENTS } from '../review/review-events';
import { ScreeningRecorded, ScreeningRepeated, ScreeningStarted, StoppedAccountsFound } from './screening-events';

/** The outcome of a sandbox CPF that starts with 900 (`approve`), 901 (`reject`) or 902 (`ask-information`). */
export type SandboxOutcome = 'approve' | 'reject' | 'ask-information';

/**
 * Stream `accountRequest-<requestId>`; the id is derived from parent, country, identifier and attempt. Status
 * `pending`, stage `received`.
 */
export class AccountRequested extends event('AccountRequested')<
  RequestIdentity & {
    mode: OnboardingMode;
    /** From 1. A request that ended without an account frees its identifier for the next attempt. */
    attempt: number;
    rewardTier: RewardTier;
    externalId: string | null;
    details: RequestDetails;
    externalWallets: readonly SealedExternalWallet[];
    /**
     * Whether two approvers have to approve because of what was declared. The reason is visible only in sealed data.
     */
    fourEyes: boolean;
    sandboxOutcome: SandboxOutcome | null;
    requestedAt: Timestamp;
  }
> {}

/**
 * Reservations were made for a request that was never created. Appended before they are freed, so that the request can
 * no longer be created.
 */
export class AccountRequestAbandoned extends event('AccountRequestAbandoned')<{
  requestId: string;
  abandonedAt: Timestamp;
}> {}

/**
 * The provider's result for a liveness session. It replaces `pending`, or a different result that the provider decided
 * earlier, in whatever order the callbacks arrived.
 */
export class LivenessRecorded extends event('LivenessRecorded')<
  RequestIdentity & {
    sessionFingerprint: string;
    provider: string;
    /** Fingerprint of the provider's event id, by which a repeated callback is recognized. */
    providerEventId: string;
    outcome: 'passed' | 'failed' | 'pending';
    /** When the provider decided. */
    decidedAt: Timestamp;
    /** Ids of requests of other people that had named the session by then, at most 20; absent if there are none. */
    sharedWith?: readonly string[];
  }
> {}

/**
 * Requests of other people named a liveness session of this request; `sharedWith` has at most 20 ids. Two approvers are
 * required from now on, and earlier approvals no longer count.
 */
export class LivenessShared extends event('LivenessShared')<
  RequestIdentity & { sessionFingerprint: string; sharedWith: readonly string[]; noticedAt: Timestamp }
> {}

/** Stage `information-requested`: the partner has to provide information. */
export class InformationRequested extends event('InformationRequested')<
  RequestIdentity & {
    items: readonly InformationItem[];
    issues: readonly PartnerReason[];
    requestedAt: Timestamp;
    /** When the request expires if no information is provided. */
    dueAt: Timestamp;
  }
> {}

/** The parts of the request that the partner sent again; null for unchanged parts. */
export class InformationProvided extends event('InformationProvided')<
  RequestIdentity & {
    holder: { readonly address: Sealed | null; readonly document: DocumentFiles | null };
    representative: {
      readonly address: Sealed | null;
      readonly document: DocumentFiles | null;
      readonly powerOfAttorneyFileId: string | null;
    };
    liveness: LivenessSession | null;
    otherFileIds: readonly string[];
    note: Sealed | null;
    /** What the partner still has to send. Absent when everything that was requested has arrived. */
    remaining?: {
      readonly items: readonly InformationItem[];
      readonly issues: readonly PartnerReason[];
      readonly dueAt: Timestamp;
    };
    providedAt: Timestamp;
  }
> {}

/** Status `approved`; the account is provisioned next. `approvedBy` has staff ids. */
export class AccountRequestApproved extends event('AccountRequestApproved')<
  RequestIdentity & { approvedBy: readonly string[]; approvedAt: Timestamp }
> {}

/** Status `rejected`. `reason` is for staff only; partners see `shownReason`. */
export class AccountRequestRejected extends event('AccountRequestRejected')<
  RequestIdentity & {
    reason: InternalReason;
    shownReason: PartnerReason;
    rejectedAt: Timestamp;
  }
> {}

export class AccountRequestExpired extends event('AccountRequestExpired')<RequestIdentity & { expiredAt: Timestamp }> {}

export class AccountRequestCancelled extends event('AccountRequestCancelled')<
  RequestIdentity & { cancelledAt: Timestamp }
> {}

export const PROVISIONING_STEPS = ['account', 'wallets', 'whitelist'] as const;

export type ProvisioningStep = (typeof PROVISIONING_STEPS)[number];

export class ProvisioningStepDone extends event('ProvisioningStepDone')<
  RequestIdentity & { step: ProvisioningStep; doneAt: Timestamp }
> {}

/** Status `provisioning-failed`. A provisioning step failed and is retried at `retryAt`. */
export class ProvisioningFailed extends event('ProvisioningFailed')<
  RequestIdentity & {
    step: ProvisioningStep;
    failure: Failure;
    failures: number;
    failedAt: Timestamp;
    retryAt: Timestamp;
  }
> {}

/** Status `approved` again: provisioning is retried. */
export class ProvisioningRetried extends event('ProvisioningRetried')<RequestIdentity & { retriedAt: Timestamp }> {}

/** Status `active`: all provisioning steps are done. */
export class AccountRequestActivated extends event('AccountRequestActivated')<
  RequestIdentity & { activatedAt: Timestamp }
> {}

/** All event classes of the stream. */
export const ACCOUNT_REQUEST_EVENTS = [
  AccountRequested,
  AccountRequestAbandoned,
  ScreeningStarted,
  ScreeningRecorded,
  ScreeningRepeated,
  LivenessRecorded,
  LivenessShared,
  DuplicatesFound,
  StoppedAccountsFound,
  ...REVIEW_EVENTS,
  InformationRequested,
  InformationProvided,
  AccountRequestApproved,
  AccountRequestRejected,
  AccountRequestExpired,
  AccountRequestCancelled,
  ProvisioningStepDone,
  ProvisioningFailed,
  ProvisioningRetried,
  AccountRequestActivated,
  RequestedAccountClosed,
] as const;
export type AccountRequestEvent = InstanceType<(typeof ACCOUNT_REQUEST_EVENTS)[number]>;
