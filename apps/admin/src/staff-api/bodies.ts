import type { AccountStatus, ApiKeyAccess, OnboardingMode, RefusedPayoutStatus, Timestamp } from '@ponte/contracts';

/** Responses of the staff API, with the members that the verbs show. */
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
  /** Only for a bearer key, when it is created. */
  readonly secret?: string;
}

export interface WireStanding {
  readonly id: string;
  readonly status: AccountStatus;
  readonly 'pending-step': 'freeze' | 'release' | 'close' | null;
  readonly pending: {
    readonly request: number;
    readonly step: 'freeze' | 'release' | 'close';
    readonly reason: string;
    readonly evidence: string | null;
    readonly 'requested-by': { readonly id: string; readonly name: string | null };
    readonly 'requested-at': Timestamp;
  } | null;
}

export interface WireWallet {
  readonly address: string;
  readonly fx: boolean;
}

export interface WireCertificate {
  readonly id: string;
  readonly 'account-id': string;
  readonly 'wallet-address': string;
  readonly amount: string;
  readonly 'reward-tier': number;
  readonly status: string;
}

export interface WireAddressReview {
  readonly id: string;
  readonly version: string;
  readonly subject: string;
  readonly 'subject-id': string;
  readonly 'account-id': string;
  readonly address: string;
  readonly asset: string | null;
  readonly amount: string | null;
  readonly outcome: string;
  readonly 'held-at': string;
  readonly verdicts: readonly object[];
}

export interface WireRefusedPayout {
  readonly 'withdrawal-id': string;
  readonly 'account-id': string;
  readonly status: RefusedPayoutStatus;
  readonly asset: string;
  readonly amount: string;
  readonly reason: string;
  readonly 'rolled-back-at': Timestamp;
  readonly 'end-to-end-id': string | null;
  readonly 'posted-at': Timestamp | null;
}

export interface WireClock {
  readonly now: Timestamp;
  readonly 'ahead-seconds': number;
}
