import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import { ACCOUNT_CLOSING_EVENTS } from './closing-events';
import { ACCOUNT_FREEZE_EVENTS } from './freeze-events';
import type { SealedBankAccount, SealedHolder } from './sealing';

export type OnboardingMode = 'kyc' | 'reliance';
export type ApiKeyAccess = 'read-only' | 'read-write';
export type ApiKeyAlgorithm = 'RS256' | 'ES256' | 'EdDSA';
export type RateLimits = {
  readonly writesPerSecond: number;
  readonly writeBurst: number;
  readonly readsPerSecond: number;
  readonly readBurst: number;
};

/**
 * The credential of an API key. `jwt`: algorithm and public key (PEM) that verify the caller's signatures. `bearer`
 * (sandbox only): SHA-256 of the secret in lower-case hex (`secretHashOf`).
 */
export type ApiKeyCredential =
  | { readonly kind: 'jwt'; readonly algorithm: ApiKeyAlgorithm; readonly publicKey: string }
  | { readonly kind: 'bearer'; readonly secretHash: string };

/** Stream `account-<accountId>`. */
export class AccountOpened extends event('AccountOpened')<
  SealedHolder & {
    accountId: string;
    /** Account id of the partner; null for a partner's own account. */
    parentId: string | null;
    /** A display name; never the holder's name. */
    alias: string;
    externalId: string | null;
    /** The mode in which a partner onboards; null for a sub-account. */
    onboardingMode: OnboardingMode | null;
    capabilities: readonly string[];
    /** The account request that led to the account; absent if an operator opened it. */
    request?: AccountOrigin;
    openedAt: Timestamp;
  }
> {}

/**
 * The account request that led to an account. `requestedAt` is shown as the creation time of the account, because its
 * parent sees it from then on.
 */
export interface AccountOrigin {
  readonly requestId: string;
  readonly requestedAt: Timestamp;
}

export class CapabilityGranted extends event('CapabilityGranted')<{ accountId: string; capability: string }> {}
export class CapabilityRevoked extends event('CapabilityRevoked')<{ accountId: string; capability: string }> {}

/** The bank account of the holder was registered, or replaced the one that was registered before. */
export class BankAccountRegistered extends event('BankAccountRegistered')<SealedBankAccount & { accountId: string }> {}

/**
 * An external wallet was whitelisted as a destination of the account. `fx`: also for orders of FX pairs. `source`:
 * whether onboarding or an operator added it.
 */
export class WalletWhitelisted extends event('WalletWhitelisted')<{
  accountId: string;
  /** Lower-case. The entry is valid on every chain. */
  address: string;
  fx: boolean;
  source: 'onboarding' | 'operator';
}> {}

/** Stream `apiKey-<keyId>`. */
export class ApiKeyCreated extends event('ApiKeyCreated')<{
  keyId: string;
  accountId: string;
  name: string;
  access: ApiKeyAccess;
  credential: ApiKeyCredential;
  /** CIDR blocks or addresses; empty means any. */
  ipAllowlist: readonly string[];
  /** Null means the defaults of the environment. */
  rateLimits: RateLimits | null;
}> {}

/** The API key was revoked. `reason` is one of `REVOCATION_REASONS`. */
export class ApiKeyRevoked extends event('ApiKeyRevoked')<{ keyId: string; accountId: string; reason: string }> {}

/** All event classes of an account's stream. */
export const ACCOUNT_EVENTS = [
  AccountOpened,
  CapabilityGranted,
  CapabilityRevoked,
  BankAccountRegistered,
  WalletWhitelisted,
  ...ACCOUNT_FREEZE_EVENTS,
  ...ACCOUNT_CLOSING_EVENTS,
] as const;
export type AccountEvent = InstanceType<(typeof ACCOUNT_EVENTS)[number]>;
export type ApiKeyEvent = ApiKeyCreated | ApiKeyRevoked;
