/** Reasons are words from a list: what an operator types freely could name a person, and events are for ever. */
export const REVOCATION_REASONS = [
  'operator-request',
  'rotated',
  'compromised',
  'secret-lost',
  'no-longer-used',
] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

/** The last two are the system's own; staff may name them too. */
export const FREEZE_REASONS = [
  'sanctions',
  'fraud-suspected',
  'court-order',
  'compliance',
  'account-takeover',
  'reorged-after-completion',
  'pix-taken-back',
] as const;
export type FreezeReason = (typeof FREEZE_REASONS)[number];

export const RELEASE_REASONS = ['resolved', 'frozen-by-mistake', 'order-lifted', 'loss-recovered'] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];
