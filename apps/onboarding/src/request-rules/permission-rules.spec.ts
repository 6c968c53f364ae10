import * as fc from 'fast-check';
import type { RewardTier } from '@ponte/kernel';
import { tierCapability } from '@ponte/kernel';
import type { ParentFacts } from './facts.domain';
import { permissionViolations, requestViolations } from './request-rules.domain';
import { reported } from '../testing/kyc-request';
import { facts, valid } from '../testing/random-requests';

describe('Rules 1 and 2', () => {
  it('permit every parent with the capability of the tier, and report exactly one violation for one broken rule', () => {
    const tiers = fc.constantFrom<RewardTier>(90, 93.5, 97);
    const others = fc.array(fc.constantFrom('manage-holders', 'international-travels', 'rate-lock-5m'));
    fc.assert(
      fc.property(valid, tiers, others, (request, tier, more) => {
        const able: ParentFacts = { active: true, mode: 'kyc', capabilities: [...more, tierCapability(tier)] };
        const judge = (parent: ParentFacts) =>
          reported([...permissionViolations('kyc', tier, parent), ...requestViolations(request, facts)]);
        expect(judge(able)).toEqual([]);
        expect(judge({ ...able, mode: 'reliance' })).toEqual(['reliance-mode-parent ']);
        expect(
          judge({
            ...able,
            capabilities: [...more, ...([90, 93.5, 97] as const).filter((one) => one !== tier).map(tierCapability)],
          }),
        ).toEqual(['missing-capability reward-tier']);
      }),
    );
  });
});
