import type { AddressDecision, AddressReviewShown, StaffSignIn } from './address-review-operations';
import type {
  AccountStatus,
  AdvanceClock,
  ApiKeyAccess,
  ApiKeyAlgorithm,
  BankBehaviour,
  BankState,
  CertificateState,
  ClearBankAccount,
  ClearHolder,
  ClockAdvance,
  OnboardingMode,
  PageCursor,
  PlannedFault,
  RateLimits,
  Timestamp,
} from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';

/** An account as staff see it. */
export interface StaffAccount {
  readonly accountId: string;
  readonly parentId: string | null;
  readonly alias: string;
  readonly status: AccountStatus;
  readonly externalId: string | null;
  readonly onboardingMode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  readonly createdAt: Timestamp;
}

/** Personal members in clear: they are sealed before they leave the process that took them. */
export interface OpenAccountInput extends ClearHolder {
  /** Null opens a partner. */
  readonly parentId: string | null;
  readonly alias: string;
  readonly externalId: string | null;
  /** Of a partner alone. */
  readonly onboardingMode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  readonly bankAccount: ClearBankAccount | null;
}

export interface CreateKeyInput {
  readonly accountId: string;
  readonly name: string;
  readonly access: ApiKeyAccess;
  readonly credential:
    | { readonly kind: 'jwt'; readonly algorithm: ApiKeyAlgorithm; readonly publicKey: string }
    | { readonly kind: 'bearer' };
  readonly ipAllowlist: readonly string[];
  /** Null means the defaults of the environment. */
  readonly rateLimits: RateLimits | null;
}

export interface CreatedKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly access: ApiKeyAccess;
  /** Of a bearer key, in this answer alone; only its hash is kept. */
  readonly secret: string | null;
}

/** An external wallet that an account may use. */
export interface ListedWallet {
  readonly accountId: string;
  /** Lower-case. */
  readonly address: string;
  /** Also as the target of an FX order. */
  readonly fx: boolean;
}

/** A reward certificate to be issued. */
export interface CertificateInput {
  readonly accountId: string;
  readonly walletAddress: string;
  /** BRLV. */
  readonly amount: string;
  /** Null for the account's own. */
  readonly rewardTier: RewardTier | null;
  /** One reference is one certificate. */
  readonly reference: string;
}

export interface IssuedCertificate {
  readonly id: string;
  readonly accountId: string;
  readonly walletAddress: string;
  readonly amount: string;
  readonly rewardTier: RewardTier;
  readonly status: CertificateState;
}

/**
 * One step about the freeze of an account; evidence and password in clear: they are sealed before they leave the
 * process that took them.
 */
export type FreezeStepInput = { readonly accountId: string; readonly as: string; readonly password: string } & (
  | { readonly step: 'freeze' | 'release'; readonly reason: string; readonly evidence: string }
  | { readonly step: 'confirm-freeze' | 'confirm-release' | 'close' }
);

/** How an account then stands; nothing personal. */
export interface StandingShown {
  readonly accountId: string;
  readonly status: AccountStatus;
  /** What waits for a second member of staff. */
  readonly pendingStep: 'freeze' | 'release' | null;
}

/** How the simulated bank shall behave; null leaves it as it is. */
export type BankBehaviourCommand = { readonly [K in keyof BankBehaviour]: BankBehaviour[K] | null } & {
  readonly fault: PlannedFault | null;
  /** The endToEndId of a payment that the bank takes back. */
  readonly takeBack?: string | null;
};

export interface StaffAccountsPage {
  readonly accounts: readonly StaffAccount[];
  /** Opaque; null on the last page. */
  readonly next: string | null;
}

/**
 * What an operator can do, over the bus of this process or over the staff routes of a running one.
 * Each throws `Refusal` or `Unavailable`, and carries out its command once.
 */
export interface Operations {
  openAccount(input: OpenAccountInput): Promise<StaffAccount>;
  changeCapabilities(
    accountId: string,
    change: { readonly grant: readonly string[]; readonly revoke: readonly string[] },
  ): Promise<StaffAccount>;
  createKey(input: CreateKeyInput): Promise<CreatedKey>;
  revokeKey(keyId: string, reason: string): Promise<{ readonly keyId: string; readonly revoked: boolean }>;
  /** Once, and `fx` is never taken away. Answers what then stands. */
  whitelistWallet(wallet: ListedWallet): Promise<ListedWallet>;
  /** Once for its reference; the token is minted afterwards. */
  issueCertificate(input: CertificateInput): Promise<IssuedCertificate>;
  listAccounts(limit: number, cursor: string | null): Promise<StaffAccountsPage>;
  /** Refuses `account-not-found`. */
  showAccount(accountId: string): Promise<StaffAccount>;
  /**
   * Carries out a step about the freeze of an account as a member of staff, who signs in with name and password: one
   * alone must not be able to take both steps. Refuses `sign-in-refused`, also where staff sign in by OpenID Connect
   * alone.
   */
  freezeStep(step: FreezeStepInput): Promise<StandingShown>;
  /** As a member of staff who signs in. Refuses `sign-in-refused`. */
  listAddressReviews(by: StaffSignIn): Promise<readonly AddressReviewShown[]>;
  /** As an approver who signs in: two of them have to agree on a false positive. Refuses `role-not-allowed`. */
  decideAddressReview(decision: AddressDecision): Promise<AddressReviewShown>;
  /** Sandbox alone, and while its services run. */
  advanceClock(command: ClockAdvance): Promise<ReplyOf<typeof AdvanceClock>>;
  /** Sandbox alone, and while its services run. */
  bank(): Promise<BankState>;
  misbehave(command: BankBehaviourCommand): Promise<BankState>;
}

export const cursorText = (cursor: PageCursor | null): string | null =>
  cursor ? `${cursor.createdAt}_${cursor.id}` : null;
