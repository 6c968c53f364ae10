import { requestsOf } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { RewardTier } from '@ponte/kernel';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { AccountStatus, ListedAccountStatus } from '../state-machines';
import type { AccountOrigin, ApiKeyAccess, ApiKeyCredential, OnboardingMode, RateLimits } from './events';
import type { StandingStep } from './freeze-events';
import type { SealedBankAccount, SealedHolder } from './sealing';

const { command, query } = requestsOf('onboarding');

/** An account as other services see it, without personal data. */
export interface AccountRecord {
  readonly accountId: string;
  readonly parentId: string | null;
  readonly alias: string;
  readonly status: AccountStatus;
  /** A freeze, release or closing that waits for a second staff member; absent otherwise. */
  readonly pendingStep?: StandingStep;
  /** When the pending step was requested. Absent in `ListAllAccounts`. */
  readonly pendingSince?: Timestamp;
  readonly externalId: string | null;
  readonly onboardingMode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  /** Compare with `PersonalData.fingerprint('tax-id', digits)`. */
  readonly taxIdFingerprint: string;
  readonly createdAt: Timestamp;
}

/** An account as shown to its partner, starting with the account request. */
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

/** The holder's fields come from `sealHolder`. `accountId` is new, or derived from the command's id. */
export interface OpenAccountPayload extends SealedHolder {
  readonly accountId: string;
  /** Null for a partner, which needs an `onboardingMode`; a sub-account has none. */
  readonly parentId: string | null;
  readonly alias: string;
  readonly externalId: string | null;
  readonly onboardingMode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  /** From `sealBankAccount`, under the same holder. */
  readonly bankAccount: SealedBankAccount | null;
  /** Set when the account results from an account request. */
  readonly request?: AccountOrigin;
}

/**
 * The caller creates the id and the credential (`newApiKeyId`, `newBearerSecret`), so that no secret crosses the bus.
 */
type CreateApiKeyPayload = Omit<ApiKeyRecord, 'revoked'>;

/** Idempotent for the same data. Refuses `account-already-exists` for other data. */
export const OpenAccount = command<OpenAccountPayload, AccountRecord>('open-account', 'accountId');
/**
 * Applied as a whole; names that already have the requested state are ignored. Refuses a name in both lists
 * (`invalid-format`).
 */
export const ChangeCapabilities = command<
  { accountId: string; grant: readonly string[]; revoke: readonly string[] },
  AccountRecord
>('change-capabilities', 'accountId');
/** Replaces a bank account that was registered before. */
export const RegisterBankAccount = command<{ accountId: string; bankAccount: SealedBankAccount }, AccountRecord>(
  'register-bank-account',
  'accountId',
);
/**
 * Adds an external wallet to the account's whitelist. `fx` adds the right to FX pairs and never removes it. Refuses
 * `invalid-address` and `bad-address-checksum`; from an operator also `invalid-address` for an address of the service,
 * `external-wallet-already-registered`, `address-under-review` and `address-refused`. From onboarding, the caller has
 * checked the address.
 */
export const WhitelistWallet = command<
  { accountId: string; address: string; fx: boolean; source: 'onboarding' | 'operator' },
  AccountRecord
>('whitelist-wallet', 'accountId');
/** Refuses `invalid-public-key`, and `bearer-key-not-allowed` outside the sandbox. */
export const CreateApiKey = command<CreateApiKeyPayload, ApiKeyRecord>('create-api-key', 'keyId');
/** `reason` is one of `REVOCATION_REASONS`. A revoked key does not change. */
export const RevokeApiKey = command<{ keyId: string; reason: string }, ApiKeyRecord>('revoke-api-key', 'keyId');

/** Null when the account does not exist. The other queries of a single record do the same. */
export const GetAccount = query<{ accountId: string }, AccountRecord | null>('get-account', 'accountId');
/** The parent of an account, even while it is being created; null for an unknown account. Both cases cost the same. */
export const GetAccountParent = query<{ accountId: string }, { parentId: string | null } | null>(
  'get-account-parent',
  'accountId',
);
/** Percent; null for an account without an account request. */
export const GetRewardTier = query<{ accountId: string }, { rewardTier: RewardTier | null }>(
  'get-reward-tier',
  'accountId',
);
/** Also finds an account that is still being created. */
export const GetAccountListing = query<{ accountId: string }, AccountListing | null>(
  'get-account-listing',
  'accountId',
);
/**
 * The account itself, then, with the capability `manage-holders`, its sub-accounts including those being created,
 * newest first.
 */
export const ListAccounts = query<{ accountId: string; page: PageRequest }, Page<AccountListing>>(
  'list-accounts',
  'accountId',
);
/** For staff: all accounts, or only the partners, newest first. */
export const ListAllAccounts = query<{ page: PageRequest; onlyPartners?: boolean }, Page<AccountRecord>>(
  'list-all-accounts',
);
export const GetHolder = query<{ accountId: string }, HolderRecord | null>('get-holder', 'accountId');
export const GetApiKey = query<{ keyId: string }, ApiKeyRecord | null>('get-api-key', 'keyId');
/** The external wallets that the account may use. */
export const GetWhitelistedWallets = query<
  { accountId: string },
  { wallets: readonly { readonly address: string; readonly fx: boolean }[] }
>('get-whitelisted-wallets', 'accountId');
