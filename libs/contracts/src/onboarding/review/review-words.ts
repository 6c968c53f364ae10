/** Reasons that a partner may know. */
export const PARTNER_REASONS = ['compliance', 'document-quality', 'data-mismatch', 'expired', 'duplicate'] as const;
export type PartnerReason = (typeof PARTNER_REASONS)[number];

/** Reasons that staff choose from when they reject. Words and never free text: events are for ever. */
export const INTERNAL_REASONS = [
  'sanctions',
  'pep',
  'fraud-suspected',
  'risk-appetite',
  'liveness',
  'document-quality',
  'data-mismatch',
  'duplicate',
] as const;
export type InternalReason = (typeof INTERNAL_REASONS)[number];

/**
 * What touches sanctions, PEP or our judgement of risk shows as `compliance`: a more precise reason would warn the
 * suspect.
 */
export function shownReason(reason: InternalReason): PartnerReason {
  switch (reason) {
    case 'sanctions':
    case 'pep':
    case 'fraud-suspected':
    case 'risk-appetite':
      return 'compliance';
    case 'liveness':
      return 'data-mismatch';
    case 'document-quality':
    case 'data-mismatch':
    case 'duplicate':
      return reason;
  }
}

/** What a partner can be asked for. */
export const INFORMATION_ITEMS = [
  'address',
  'document',
  'liveness',
  'representative-address',
  'representative-document',
  'power-of-attorney',
  'source-of-funds',
  'other',
] as const;
export type InformationItem = (typeof INFORMATION_ITEMS)[number];

/** Why a person has to look. `true-match` joins them when staff find that a hit is the person. */
export const REVIEW_CAUSES = [
  'standard',
  'screening-hit',
  'true-match',
  'liveness-failed',
  'liveness-pending',
  'liveness-shared',
  'information-provided',
  'four-eyes',
] as const;
export type ReviewCause = (typeof REVIEW_CAUSES)[number];

/** What staff find about one screening hit. A true match is final: the request can then only be rejected. */
export const HIT_VERDICTS = ['false-positive', 'true-match'] as const;
export type HitVerdict = (typeof HIT_VERDICTS)[number];

/**
 * What a verdict rests on. Words and never free text, because events are kept for ever; anything else goes into the
 * sealed note.
 */
export const VERDICT_REASONS = [
  'name-differs',
  'birth-date-differs',
  'nationality-differs',
  'documents-differ',
  'identity-confirmed',
  'other',
] as const;
export type VerdictReason = (typeof VERDICT_REASONS)[number];

/** Why someone of ours looks at a person's data. */
export const VIEW_PURPOSES = [
  'review',
  'second-approval',
  'support',
  'audit',
  'legal-request',
  'privacy-request',
] as const;
export type ViewPurpose = (typeof VIEW_PURPOSES)[number];

export const STAFF_ROLES = ['compliance-analyst', 'compliance-approver', 'operator', 'auditor'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Who of ours acts, as the gateway authenticated them. */
export interface StaffActor {
  readonly staffId: string;
  readonly roles: readonly StaffRole[];
}
