import type { ClearKycRequest, Identity, SandboxOutcome, Sector } from '@ponte/contracts';
import { BRAZIL } from '@ponte/contracts';
import { hasFindings } from './findings.domain';
import type { OpenRequest } from './account-request.state';

/** What can require a second approver. */
const FOUR_EYES_TIER = 97;

/** A PEP, a sector of high risk, a representative or the highest tier: two approvers decide. */
export const wantsFourEyes = (
  { pep, financialProfile, representative, rewardTier }: ClearKycRequest,
  highRisk: readonly Sector[],
): boolean =>
  pep.declared ||
  representative !== null ||
  highRisk.includes(financialProfile.sector) ||
  rewardTier === FOUR_EYES_TIER;

/**
 * What was declared, or what screening and liveness found. A hit that was judged a false positive keeps its four eyes:
 * both approvers answer for the verdict.
 */
export const isForFourEyes = (
  state: Pick<OpenRequest, 'terms' | 'screening' | 'liveness' | 'sharedSessions'>,
): boolean => state.terms.fourEyes || hasFindings(state);

export const relianceWantsFourEyes = ({ rewardTier }: { readonly rewardTier: number }): boolean =>
  rewardTier === FOUR_EYES_TIER;

/** What the first digits of a CPF mean in the sandbox. */
export function sandboxOutcome({ country, number }: Identity): SandboxOutcome | null {
  if (country !== BRAZIL) return null;
  if (number.startsWith('900')) return 'approve';
  if (number.startsWith('901')) return 'reject';
  return number.startsWith('902') ? 'ask-information' : null;
}
