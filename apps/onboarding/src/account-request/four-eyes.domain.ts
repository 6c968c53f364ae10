import type { ClearKycRequest, Identity, SandboxOutcome, Sector } from '@ponte/contracts';
import { BRAZIL } from '@ponte/contracts';
import { hasFindings, isLivenessStale, livenessOf } from './findings.domain';
import type { OpenRequest } from './account-request.state';

/** The reward tier that requires a second approver. */
const FOUR_EYES_TIER = 97;

/** A PEP, a high-risk sector, a representative or the highest tier requires two approvers. */
export const requiresFourEyes = (
  { pep, financialProfile, representative, rewardTier }: ClearKycRequest,
  highRisk: readonly Sector[],
): boolean =>
  pep.declared ||
  representative !== null ||
  highRisk.includes(financialProfile.sector) ||
  rewardTier === FOUR_EYES_TIER;

/**
 * Whether two approvers are required, by what was declared or by what screening and liveness found. An old session
 * requires them until a newer one replaces it, and a session without a result while staff review the request: it may
 * not exist. A hit that was judged a false positive still requires both, because both approvers are responsible for the
 * verdict.
 */
export const needsTwoApprovers = (
  state: Pick<
    OpenRequest,
    | 'stage'
    | 'terms'
    | 'parts'
    | 'screening'
    | 'stoppedAccounts'
    | 'liveness'
    | 'livenessNamedAt'
    | 'hasFailedLiveness'
    | 'sharedSessions'
  >,
): boolean =>
  state.terms.fourEyes ||
  hasFindings(state) ||
  isLivenessStale(state) ||
  (state.stage === 'manual-review' && livenessOf(state) === 'pending');

export const relianceRequiresFourEyes = ({ rewardTier }: { readonly rewardTier: number }): boolean =>
  rewardTier === FOUR_EYES_TIER;

/** The outcome that the first digits of a CPF select in the sandbox. */
export function sandboxOutcome({ country, number }: Identity): SandboxOutcome | null {
  if (country !== BRAZIL) return null;
  if (number.startsWith('900')) return 'approve';
  if (number.startsWith('901')) return 'reject';
  return number.startsWith('902') ? 'ask-information' : null;
}
