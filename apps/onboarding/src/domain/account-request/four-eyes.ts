import type { ClearKycRequest, Identity, SandboxOutcome, Sector } from '@ponte/contracts';
import { BRAZIL } from '@ponte/contracts';
import type { OpenRequest } from './state';

/** domain.md §5. */
const FOUR_EYES_TIER = 97;

/** A PEP, a sector of high risk, a representative or the highest tier: two approvers decide. */
export const wantsFourEyes = ({ pep, financialProfile, representative, rewardTier }: ClearKycRequest, highRisk: readonly Sector[]): boolean =>
  pep.declared || representative !== null || highRisk.includes(financialProfile.sector) || rewardTier === FOUR_EYES_TIER;

/** `pep`, and what operators and vendors call theirs: `pep-class-1`, `World PEP`. */
const PEP_LIST = /(?:^|[^a-z])peps?(?:[^a-z]|$)/i;

/** What was declared, or what screening found: somebody who hides an exposure is no lesser risk than who declares it. */
export const isForFourEyes = ({ terms, screening }: Pick<OpenRequest, 'terms' | 'screening'>): boolean =>
  terms.fourEyes || screening.some(({ hits }) => hits.some(({ list }) => PEP_LIST.test(list)));

export const relianceWantsFourEyes = ({ rewardTier }: { readonly rewardTier: number }): boolean => rewardTier === FOUR_EYES_TIER;

/** contract.md §13: what the first digits of a CPF mean in the sandbox. */
export function sandboxOutcome({ country, number }: Identity): SandboxOutcome | null {
  if (country !== BRAZIL) return null;
  if (number.startsWith('900')) return 'approve';
  if (number.startsWith('901')) return 'reject';
  return number.startsWith('902') ? 'ask-information' : null;
}
