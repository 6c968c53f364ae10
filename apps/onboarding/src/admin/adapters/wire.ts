import type { AddressReviewShown } from '../address-review-operations';
import type { AccountStatus, ApiKeyAccess, OnboardingMode, Timestamp } from '@ponte/contracts';
import { RATE_NAMES, RATES } from '@ponte/contracts';
import type { ErrorCode, Violation } from '@ponte/kernel';
import type { CreateKeyInput, IssuedCertificate, OpenAccountInput, StaffAccount } from '../operations';

/** Bodies of the staff routes. */
export interface WireAccount {
  readonly id: string;
  readonly 'parent-id'?: string;
  readonly alias: string;
  readonly status: AccountStatus;
  readonly 'external-id'?: string;
  readonly 'onboarding-mode'?: OnboardingMode | null;
  readonly capabilities: readonly string[];
  readonly 'created-at': Timestamp;
}

export interface WireKey {
  readonly id: string;
  readonly 'account-id': string;
  readonly access: ApiKeyAccess;
  readonly revoked: boolean;
  /** Of a bearer key, when it is made. */
  readonly secret?: string;
}

export interface WireStanding {
  readonly id: string;
  readonly status: AccountStatus;
  readonly 'pending-step': 'freeze' | 'release' | null;
}

export interface WireListedWallet {
  readonly address: string;
  readonly fx: boolean;
}

export interface WireCertificate {
  readonly id: string;
  readonly 'account-id': string;
  readonly 'wallet-address': string;
  readonly amount: string;
  readonly 'reward-tier': IssuedCertificate['rewardTier'];
  readonly status: IssuedCertificate['status'];
}

export interface WireClock {
  readonly now: Timestamp;
  readonly 'ahead-seconds': number;
}

export interface WireError {
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly Violation[] };
}

export const accountOf = (wire: WireAccount): StaffAccount => ({
  accountId: wire.id,
  parentId: wire['parent-id'] ?? null,
  alias: wire.alias,
  status: wire.status,
  externalId: wire['external-id'] ?? null,
  onboardingMode: wire['onboarding-mode'] ?? null,
  capabilities: wire.capabilities,
  createdAt: wire['created-at'],
});

export const certificateOf = (wire: WireCertificate): IssuedCertificate => ({
  id: wire.id,
  accountId: wire['account-id'],
  walletAddress: wire['wallet-address'],
  amount: wire.amount,
  rewardTier: wire['reward-tier'],
  status: wire.status,
});

/** Members without a value are left out. */
export const bodyOfOpening = (input: OpenAccountInput): object => ({
  ...(input.parentId === null ? {} : { 'parent-id': input.parentId }),
  alias: input.alias,
  'legal-name': input.legalName,
  'tax-id': input.taxId,
  ...(input.onboardingMode === null ? {} : { 'onboarding-mode': input.onboardingMode }),
  ...(input.externalId === null ? {} : { 'external-id': input.externalId }),
  capabilities: input.capabilities,
  ...(input.bankAccount === null
    ? {}
    : {
        'bank-account': {
          'bank-code': input.bankAccount.bankCode,
          'branch-number': input.bankAccount.branch,
          'account-number': input.bankAccount.number,
        },
      }),
});

export const bodyOfKey = ({ name, access, credential, ipAllowlist, rateLimits }: CreateKeyInput): object => ({
  name,
  access,
  ...(credential.kind === 'bearer'
    ? { bearer: true }
    : { 'public-key': credential.publicKey, algorithm: credential.algorithm }),
  ...(ipAllowlist.length === 0 ? {} : { 'ip-allowlist': ipAllowlist }),
  ...(rateLimits === null
    ? {}
    : { 'rate-limits': Object.fromEntries(RATES.map((rate) => [RATE_NAMES[rate], rateLimits[rate]])) }),
});

export interface WireAddressReview {
  readonly id: string;
  readonly subject: string;
  readonly 'subject-id': string;
  readonly 'account-id': string;
  readonly address: string;
  readonly outcome: string;
  readonly 'held-at': string;
  readonly verdicts: readonly object[];
}
export interface WireAddressReviews {
  readonly 'address-reviews': readonly WireAddressReview[];
}

export const addressReviewOf = (review: WireAddressReview): AddressReviewShown => ({
  reviewId: review.id,
  subject: review.subject,
  subjectId: review['subject-id'],
  accountId: review['account-id'],
  address: review.address,
  outcome: review.outcome,
  heldAt: review['held-at'],
  verdicts: review.verdicts.length,
});
