import type { Sealed } from '@ponte/event-sourcing';
import { event } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { Failure, Timestamp } from '../../shared';
import type { OnboardingMode } from '../events';
import type { About, DocumentFiles, LivenessSession, RequestDetails, SealedExternalWallet } from './request-details';
import type { InformationItem, InternalReason, PartnerReason } from '../review/review-words';
import {
  ReviewRequested,
  ReviewClaimed,
  ReviewReleased,
  ReviewEscalated,
  ScreeningHitJudged,
  ReviewDecided,
} from '../review/review-events';

/** What a CPF of the sandbox that starts 900, 901 or 902 asks for. */
export type SandboxOutcome = 'approve' | 'reject' | 'ask-information';

/**
 * Stream `accountRequest-<requestId>`; the id derives from parent, country, identifier and attempt. Status `pending`,
 * stage `received`.
 */
export class AccountRequested extends event('AccountRequested')<
  About & {
    mode: OnboardingMode;
    /** From 1; a request that ended badly frees its identifier for the next attempt. */
    attempt: number;
    rewardTier: RewardTier;
    externalId: string | null;
    details: RequestDetails;
    externalWallets: readonly SealedExternalWallet[];
    /** Two approvers decide. Why is sealed with what shows it. */
    fourEyes: boolean;
    sandboxOutcome: SandboxOutcome | null;
    requestedAt: Timestamp;
  }
> {}

/** Its reservations were taken and it never came; written first, so that it never will. */
export class AccountRequestAbandoned extends event('AccountRequestAbandoned')<{
  requestId: string;
  abandonedAt: Timestamp;
}> {}

/** Stage `screening`. Rounds count from 1; information that came opens the next. */
export class ScreeningStarted extends event('ScreeningStarted')<About & { round: number; startedAt: Timestamp }> {}

/** An entry of a list that may be the person. What was compared stays sealed under the person. */
export interface ScreeningHit {
  readonly list: string;
  readonly entryId: string;
  /** 0 to 100. */
  readonly score: number;
  readonly match: Sealed;
}

/** Once per person and round. */
export class ScreeningRecorded extends event('ScreeningRecorded')<
  About & {
    round: number;
    person: 'holder' | 'representative';
    hits: readonly ScreeningHit[];
    recordedAt: Timestamp;
  }
> {}

/** What the provider says of a session; a later word replaces an earlier one, whichever comes first. */
export class LivenessRecorded extends event('LivenessRecorded')<
  About & {
    sessionFingerprint: string;
    provider: string;
    /** The fingerprint of the provider's own id: the same id is the same word. */
    providerEventId: string;
    outcome: 'passed' | 'failed' | 'pending';
    /** When the provider decided. */
    decidedAt: Timestamp;
    /** Requests of other people that had named the session by then, the first 20; absent when there are none. */
    sharedWith?: readonly string[];
  }
> {}

/**
 * Requests of other people have named a session of this one since its result was recorded, the first 20. Two approvers
 * decide from here on.
 */
export class LivenessShared extends event('LivenessShared')<
  About & { sessionFingerprint: string; sharedWith: readonly string[]; noticedAt: Timestamp }
> {}

/** Stage `information-requested`. */
export class InformationRequested extends event('InformationRequested')<
  About & {
    items: readonly InformationItem[];
    issues: readonly PartnerReason[];
    requestedAt: Timestamp;
    /** Without an answer it expires then. */
    dueAt: Timestamp;
  }
> {}

/** The changed parts of the request; null means "as before". */
export class InformationProvided extends event('InformationProvided')<
  About & {
    holder: { readonly address: Sealed | null; readonly document: DocumentFiles | null };
    representative: {
      readonly address: Sealed | null;
      readonly document: DocumentFiles | null;
      readonly powerOfAttorneyFileId: string | null;
    };
    liveness: LivenessSession | null;
    otherFileIds: readonly string[];
    note: Sealed | null;
    providedAt: Timestamp;
  }
> {}

/** Status `approved`; provisioning follows. */
export class AccountRequestApproved extends event('AccountRequestApproved')<
  About & { approvedBy: readonly string[]; approvedAt: Timestamp }
> {}

/** `reason` is for staff; partners see `shownReason`. */
export class AccountRequestRejected extends event('AccountRequestRejected')<
  About & {
    reason: InternalReason;
    shownReason: PartnerReason;
    rejectedAt: Timestamp;
  }
> {}

export class AccountRequestExpired extends event('AccountRequestExpired')<About & { expiredAt: Timestamp }> {}

export class AccountRequestCancelled extends event('AccountRequestCancelled')<About & { cancelledAt: Timestamp }> {}

export const PROVISIONING_STEPS = ['account', 'wallets', 'whitelist'] as const;

export type ProvisioningStep = (typeof PROVISIONING_STEPS)[number];

export class ProvisioningStepDone extends event('ProvisioningStepDone')<
  About & { step: ProvisioningStep; doneAt: Timestamp }
> {}

/** Status `provisioning-failed`; tried again at `retryAt`. */
export class ProvisioningFailed extends event('ProvisioningFailed')<
  About & {
    step: ProvisioningStep;
    failure: Failure;
    failures: number;
    failedAt: Timestamp;
    retryAt: Timestamp;
  }
> {}

/** Status `approved` again. */
export class ProvisioningRetried extends event('ProvisioningRetried')<About & { retriedAt: Timestamp }> {}

/** Status `active`. */
export class AccountRequestActivated extends event('AccountRequestActivated')<About & { activatedAt: Timestamp }> {}

/** All event classes of the stream. */
export const ACCOUNT_REQUEST_EVENTS = [
  AccountRequested,
  AccountRequestAbandoned,
  ScreeningStarted,
  ScreeningRecorded,
  LivenessRecorded,
  LivenessShared,
  ReviewRequested,
  ReviewClaimed,
  ReviewReleased,
  ReviewEscalated,
  ScreeningHitJudged,
  ReviewDecided,
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
] as const;
export type AccountRequestEvent = InstanceType<(typeof ACCOUNT_REQUEST_EVENTS)[number]>;
