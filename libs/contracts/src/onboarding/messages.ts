import { command, query } from '@ponte/event-sourcing';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { AccountStatus } from '../state-machines';
import type { ApiKeyAccess, ApiKeyCreated, OnboardingMode, RateLimits } from './events';
import type { Sealed } from '@ponte/event-sourcing';

/** An account as other services may know it: nothing personal. */
export interface AccountRecord {
  readonly accountId: string;
  readonly parentId: string | null;
  readonly alias: string;
  readonly status: AccountStatus;
  readonly externalId: string | null;
  readonly onboardingMode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  /** Compare with `PersonalData.fingerprint('tax-id', digits)`. */
  readonly taxIdFingerprint: string;
  readonly createdAt: Timestamp;
}

/** The holder's personal fields, sealed: whoever may see them opens them with `PersonalData`. */
export interface HolderRecord {
  readonly accountId: string;
  readonly holderId: string;
  readonly legalName: Sealed;
  readonly taxId: Sealed;
}

export interface ApiKeyRecord {
  readonly keyId: string;
  readonly accountId: string;
  readonly access: ApiKeyAccess;
  readonly credential: ApiKeyCreated['data']['credential'];
  readonly ipAllowlist: readonly string[];
  readonly rateLimits: RateLimits | null;
  readonly revoked: boolean;
}

export interface OpenAccountPayload {
  readonly accountId: string;
  readonly parentId: string | null;
  readonly alias: string;
  readonly externalId: string | null;
  readonly onboardingMode: OnboardingMode | null;
  readonly holderId: string;
  readonly legalName: Sealed;
  readonly taxId: Sealed;
  readonly taxIdFingerprint: string;
  readonly capabilities: readonly string[];
}

const byAccount = (payload: { accountId: string }) => payload.accountId;

export const OpenAccount = command<OpenAccountPayload, AccountRecord>('onboarding', 'open-account', byAccount);
export const GrantCapability = command<{ accountId: string; capability: string }, AccountRecord>('onboarding', 'grant-capability', byAccount);
export const RevokeCapability = command<{ accountId: string; capability: string }, AccountRecord>('onboarding', 'revoke-capability', byAccount);
export const RegisterBankAccount = command<{ accountId: string; bankCode: string; branch: Sealed; number: Sealed }, AccountRecord>('onboarding', 'register-bank-account', byAccount);
export const CreateApiKey = command<Omit<ApiKeyRecord, 'revoked'> & { name: string }, ApiKeyRecord>('onboarding', 'create-api-key', byAccount);
export const RevokeApiKey = command<{ keyId: string; reason: string }, ApiKeyRecord>('onboarding', 'revoke-api-key', (payload) => payload.keyId);

export const GetAccount = query<{ accountId: string }, AccountRecord | null>('onboarding', 'get-account', byAccount);
/** The account itself first, then its sub-accounts, newest first. */
export const ListAccounts = query<{ accountId: string; page: PageRequest }, Page<AccountRecord>>('onboarding', 'list-accounts', byAccount);
export const GetHolder = query<{ accountId: string }, HolderRecord | null>('onboarding', 'get-holder', byAccount);
export const GetApiKey = query<{ keyId: string }, ApiKeyRecord | null>('onboarding', 'get-api-key', (payload) => payload.keyId);
