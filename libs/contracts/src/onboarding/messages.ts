import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { AccountStatus, ListedAccountStatus } from '../state-machines';
import type { AccountOrigin, ApiKeyAccess, ApiKeyCredential, OnboardingMode, RateLimits } from './events';
import type { FreezeStep } from './freeze-events';
import type { SealedBankAccount, SealedHolder } from './sealing';

const { command, query } = requestsOf('onboarding');

/** An account as other services may know it: nothing personal. */
export interface AccountRecord {
  readonly accountId: string;
  readonly parentId: string | null;
  readonly alias: string;
  readonly status: AccountStatus;
  /** A freeze or a release that waits for a second member of staff; absent when none does. */
  readonly pendingStep?: FreezeStep;
  readonly externalId: string | null;
  readonly onboardingMode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  /** Compare with `PersonalData.fingerprint('tax-id', digits)`. */
  readonly taxIdFingerprint: string;
  readonly createdAt: Timestamp;
}

/** An account as its partner is shown it, from the request for it on. */
export interface AccountListing extends Pick<
  AccountRecord,
  'accountId' | 'parentId' | 'alias' | 'externalId' | 'createdAt'
> {
  readonly status: ListedAccountStatus;
}

/** The holder's personal fields, sealed. Services that may show them open them with `PersonalData`. */
export interface HolderRecord {
  readonly accountId: string;
  readonly holderId: string;
  readonly legalName: Sealed;
  readonly taxId: Sealed;
  /** The holder's own bank account, null when none is registered. */
  readonly bankAccount: SealedBankAccount | null;
}

export interface ApiKeyRecord {
  readonly keyId: string;
  readonly accountId: string;
  readonly name: string;
  readonly access: ApiKeyAccess;
  readonly credential: ApiKeyCredential;
  readonly ipAllowlist: readonly string[];
  readonly rateLimits: RateLimits | null;
  readonly revoked: boolean;
}

/** The holder's members come from `sealHolder`; `accountId` is new, or derives from the command's id. */
export interface OpenAccountPayload extends SealedHolder {
  readonly accountId: string;
  /** Null opens a partner, which needs an `onboardingMode`; a sub-account has none. */
  readonly parentId: string | null;
  readonly alias: string;
  readonly externalId: string | null;
  readonly onboardingMode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  /** From `sealBankAccount`, under the same holder. */
  readonly bankAccount: SealedBankAccount | null;
  /** Where the account comes from a request. */
  readonly request?: AccountOrigin;
}

/**
 * The id and the credential are made by the caller (`newApiKeyId`, `newBearerSecret`), so that a secret never crosses
 * the bus.
 */
export type CreateApiKeyPayload = Omit<ApiKeyRecord, 'revoked'>;

/** The same account again with the same data is answered; other data is refused `account-already-exists`. */
export const OpenAccount = command<OpenAccountPayload, AccountRecord>('open-account', 'accountId');
/** All or nothing; what is granted (or not) already stays so. A name in both lists is refused `invalid-format`. */
export const ChangeCapabilities = command<
  { accountId: string; grant: readonly string[]; revoke: readonly string[] },
  AccountRecord
>('change-capabilities', 'accountId');
/** Takes the place of the one registered before. */
export const RegisterBankAccount = command<{ accountId: string; bankAccount: SealedBankAccount }, AccountRecord>(
  'register-bank-account',
  'accountId',
);
/**
 * Puts an external wallet on the account's list, once; `fx` adds the right to FX pairs and never takes it away. Refuses
 * `invalid-address` and `bad-address-checksum`.
 */
export const WhitelistWallet = command<
  { accountId: string; address: string; fx: boolean; source: 'onboarding' | 'operator' },
  AccountRecord
>('whitelist-wallet', 'accountId');
/** Refuses `invalid-public-key`, and `bearer-key-not-allowed` outside the sandbox. */
export const CreateApiKey = command<CreateApiKeyPayload, ApiKeyRecord>('create-api-key', 'keyId');
/** `reason` is one of `REVOCATION_REASONS`. A revoked key stays as it is. */
export const RevokeApiKey = command<{ keyId: string; reason: string }, ApiKeyRecord>('revoke-api-key', 'keyId');

/** Null when there is no such account; so are the other queries of one thing. */
export const GetAccount = query<{ accountId: string }, AccountRecord | null>('get-account', 'accountId');
/**
 * The parent of an account, also while it is created; null when there is no such account. Costs the same in both cases.
 */
export const GetAccountParent = query<{ accountId: string }, { parentId: string | null } | null>(
  'get-account-parent',
  'accountId',
);
/** Percent; null of an account that did not come from an account request. */
export const GetRewardTier = query<{ accountId: string }, { rewardTier: RewardTier | null }>(
  'get-reward-tier',
  'accountId',
);
/** Also of an account that is still being created. */
export const GetAccountListing = query<{ accountId: string }, AccountListing | null>(
  'get-account-listing',
  'accountId',
);
/**
 * The account itself first; then, when it has the capability `manage-holders`, its sub-accounts and those being
 * created, newest first.
 */
export const ListAccounts = query<{ accountId: string; page: PageRequest }, Page<AccountListing>>(
  'list-accounts',
  'accountId',
);
/** For staff alone: every account, newest first. */
export const ListAllAccounts = query<{ page: PageRequest }, Page<AccountRecord>>('list-all-accounts');
export const GetHolder = query<{ accountId: string }, HolderRecord | null>('get-holder', 'accountId');
export const GetApiKey = query<{ keyId: string }, ApiKeyRecord | null>('get-api-key', 'keyId');
/** Which of its external wallets the account may use. */
export const GetWhitelistedWallets = query<
  { accountId: string },
  { wallets: readonly { readonly address: string; readonly fx: boolean }[] }
>('get-whitelisted-wallets', 'accountId');
