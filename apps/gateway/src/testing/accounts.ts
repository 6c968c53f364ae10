import type { AccountListing, AccountRecord, ApiKeyRecord } from '@ponte/contracts';
import { SAMPLE } from '../api/samples';

export interface Fixtures {
  readonly accounts: Map<string, AccountRecord>;
  readonly keys: Map<string, ApiKeyRecord>;
}

export const account = (accountId: string, parentId: string | null, alias: string): AccountRecord => ({
  accountId,
  parentId,
  alias,
  status: 'active',
  externalId: null,
  onboardingMode: parentId ? null : 'kyc',
  capabilities: parentId ? [] : ['manage-holders'],
  taxIdFingerprint: 'f'.repeat(64),
  createdAt: SAMPLE.time,
});

/** Two partners, each with a sub-account. */
export const PARTNER = '0190f8a0-0000-7000-8000-0000000000a0';
export const CHILD = '0190f8a0-0000-7000-8000-0000000000a1';
export const STRANGER = '0190f8a0-0000-7000-8000-0000000000b0';
export const STRANGERS_CHILD = '0190f8a0-0000-7000-8000-0000000000b1';
/** The account of the request that the first partner creates in the route tests. */
export const PENDING = new Map<string, AccountListing>([
  [SAMPLE.accountId, { ...account(SAMPLE.accountId, PARTNER, 'Account 5c2a1e8f'), status: 'pending' as const }],
]);
export const UNKNOWN = '0190f8a0-0000-7000-8000-0000000000ff';
