/** Reasons come from a list: free text could contain a name, and events are kept forever. */
export const REVOCATION_REASONS = [
  'operator-request',
  'rotated',
  'compromised',
  'secret-lost',
  'no-longer-used',
] as const;

/** The last two are set by the system; staff may use them too. */
export const FREEZE_REASONS = [
  'sanctions',
  'fraud-suspected',
  'court-order',
  'compliance',
  'account-takeover',
  'closing',
  'reorged-after-completion',
  'pix-taken-back',
] as const;
export type FreezeReason = (typeof FREEZE_REASONS)[number];

export const RELEASE_REASONS = ['resolved', 'frozen-by-mistake', 'order-lifted', 'loss-recovered'] as const;
export type ReleaseReason = (typeof RELEASE_REASONS)[number];

export const CLOSING_REASONS = [
  'holder-request',
  'partner-request',
  'holder-deceased',
  'compliance',
  'court-order',
  'inactive',
] as const;
export type ClosingReason = (typeof CLOSING_REASONS)[number];

/** Reasons of a freeze or a closing after which compliance decides whether the person may have another account. */
export const STOPPING_REASONS: readonly (FreezeReason | ClosingReason)[] = [
  'sanctions',
  'fraud-suspected',
  'court-order',
  'compliance',
];
