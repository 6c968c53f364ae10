import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
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
 * A key that signs JWTs carries its algorithm and public key (PEM); a sandbox bearer key the hash of its secret
 * (`secretHashOf`).
 */
export type ApiKeyCredential =
  | { readonly kind: 'jwt'; readonly algorithm: ApiKeyAlgorithm; readonly publicKey: string }
  | { readonly kind: 'bearer'; readonly secretHash: string };

/** Stream `account-<accountId>`. */
export class AccountOpened extends event('AccountOpened')<
  SealedHolder & {
    accountId: string;
    /** Null for a partner. */
    parentId: string | null;
    /** A name for screens; never the holder's own. */
    alias: string;
    externalId: string | null;
    /** The mode in which a partner onboards; null for a sub-account. */
    onboardingMode: OnboardingMode | null;
    capabilities: readonly string[];
    /** The request that the account comes from; absent of one that an operator opened. */
    request?: AccountOrigin;
    openedAt: Timestamp;
  }
> {}

/** An account exists for its parent from its request on, so that is also when it was created. */
export interface AccountOrigin {
  readonly requestId: string;
  readonly requestedAt: Timestamp;
}

export class CapabilityGranted extends event('CapabilityGranted')<{ accountId: string; capability: string }> {}
export class CapabilityRevoked extends event('CapabilityRevoked')<{ accountId: string; capability: string }> {}

/** The holder's own bank account, where BRL withdrawals and returns may go. */
export class BankAccountRegistered extends event('BankAccountRegistered')<SealedBankAccount & { accountId: string }> {}

/** An external wallet to which the account may send: `fx` also for FX pairs. `source` names what put it on the list. */
export class WalletWhitelisted extends event('WalletWhitelisted')<{
  accountId: string;
  /** Lower-case; on every chain. */
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

/** `reason` is one of `REVOCATION_REASONS`. */
export class ApiKeyRevoked extends event('ApiKeyRevoked')<{ keyId: string; accountId: string; reason: string }> {}

/** All event classes of an account's stream. */
export const ACCOUNT_EVENTS = [
  AccountOpened,
  CapabilityGranted,
  CapabilityRevoked,
  BankAccountRegistered,
  WalletWhitelisted,
  ...ACCOUNT_FREEZE_EVENTS,
] as const;
export type AccountEvent = InstanceType<(typeof ACCOUNT_EVENTS)[number]>;
export type ApiKeyEvent = ApiKeyCreated | ApiKeyRevoked;
