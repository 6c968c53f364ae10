/** Reasons that are shown to partners. */
export const PARTNER_REASONS = ['compliance', 'document-quality', 'data-mismatch', 'expired', 'duplicate'] as const;
export type PartnerReason = (typeof PARTNER_REASONS)[number];

/** Reasons for a rejection that staff choose from. There is no free text, because events are kept forever. */
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

/** Sanctions, PEP and risk reasons are shown as `compliance`, because a more precise reason would warn the suspect. */
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

/** Information that can be requested from a partner. */
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

/**
 * Why a manual review is needed. `true-match` is added when staff find that a hit is the person. `liveness-old`:
 * the session was too old when the request named it. `account-stopped`: another account of the person is frozen, or was
 * closed, for a reason of compliance.
 */
export const REVIEW_CAUSES = [
  'standard',
  'screening-hit',
  'true-match',
  'liveness-failed',
  'liveness-pending',
  'liveness-shared',
  'liveness-old',
  'account-stopped',
  'information-provided',
  'four-eyes',
] as const;
export type ReviewCause = (typeof REVIEW_CAUSES)[number];

/** The verdict of staff on a screening hit. After a true match the request can only be rejected. */
export const HIT_VERDICTS = ['false-positive', 'true-match'] as const;
export type HitVerdict = (typeof HIT_VERDICTS)[number];

/**
 * The reason for a verdict. There is no free text, because events are kept forever; details go into the sealed note.
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

/** Why a staff member views a person's data. */
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

/** The staff member who acts, as authenticated by the gateway. */
export interface StaffActor {
  readonly staffId: string;
  readonly roles: readonly StaffRole[];
}
