import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';

export type OnboardingMode = 'kyc' | 'reliance';
export type ApiKeyAccess = 'read-only' | 'read-write';
export type ApiKeyAlgorithm = 'RS256' | 'ES256' | 'EdDSA';
export type RateLimits = { readonly writesPerSecond: number; readonly writeBurst: number; readonly readsPerSecond: number; readonly readBurst: number };

/** Stream `account-<accountId>`. */
export class AccountOpened extends event('AccountOpened')<{
  accountId: string;
  /** Null for a partner. */
  parentId: string | null;
  /** A name for screens; never a person's. */
  alias: string;
  externalId: string | null;
  /** The mode in which a partner onboards; null for a sub-account. */
  onboardingMode: OnboardingMode | null;
  /** Subject of the holder's sealed fields: the same person has one everywhere. */
  holderId: string;
  legalName: Sealed;
  /** CPF or CNPJ digits, sealed. */
  taxId: Sealed;
  /** `PersonalData.fingerprint('tax-id', digits)`. */
  taxIdFingerprint: string;
  capabilities: readonly string[];
}> {}

export class CapabilityGranted extends event('CapabilityGranted')<{ accountId: string; capability: string }> {}
export class CapabilityRevoked extends event('CapabilityRevoked')<{ accountId: string; capability: string }> {}

/** The holder's own bank account, where BRL withdrawals and returns may go. */
export class BankAccountRegistered extends event('BankAccountRegistered')<{
  accountId: string;
  bankCode: string;
  branch: Sealed;
  number: Sealed;
}> {}

export class AccountFrozen extends event('AccountFrozen')<{ accountId: string; reason: string }> {}
export class AccountUnfrozen extends event('AccountUnfrozen')<{ accountId: string; reason: string }> {}

/** Stream `apiKey-<keyId>`. */
export class ApiKeyCreated extends event('ApiKeyCreated')<{
  keyId: string;
  accountId: string;
  name: string;
  access: ApiKeyAccess;
  /** A key that signs JWTs carries its algorithm and public key (PEM); a sandbox bearer key the hash of its secret. */
  credential:
    | { readonly kind: 'jwt'; readonly algorithm: ApiKeyAlgorithm; readonly publicKey: string }
    | { readonly kind: 'bearer'; readonly secretHash: string };
  /** CIDR blocks or addresses; empty means any. */
  ipAllowlist: readonly string[];
  /** Null means the defaults of the environment. */
  rateLimits: RateLimits | null;
}> {}

export class ApiKeyRevoked extends event('ApiKeyRevoked')<{ keyId: string; accountId: string; reason: string }> {}

export type AccountFact = AccountOpened | CapabilityGranted | CapabilityRevoked | BankAccountRegistered | AccountFrozen | AccountUnfrozen;
export type ApiKeyFact = ApiKeyCreated | ApiKeyRevoked;
