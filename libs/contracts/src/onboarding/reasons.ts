/** Reasons are words from a list: what an operator types freely could name a person, and events are for ever. */
export const REVOCATION_REASONS = ['operator-request', 'rotated', 'compromised', 'secret-lost', 'no-longer-used'] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];

export const FREEZE_REASONS = ['operator-request', 'compliance', 'fraud-suspected', 'reorged-after-completion', 'resolved'] as const;
export type FreezeReason = (typeof FREEZE_REASONS)[number];
