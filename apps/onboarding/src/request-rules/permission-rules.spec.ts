import * as fc from 'fast-check';
import type { RewardTier } from '@ponte/kernel';
import { tierCapability } from '@ponte/kernel';
import type { ParentPermissions } from './rule-inputs.domain';
import { permissionViolations, requestViolations } from './request-rules.domain';
import { reported } from '../testing/kyc-request';
import { filesAndWallets, valid } from '../testing/random-requests';

describe('Rules 1 and 2', () => {
  it('permit every parent with the capability of the tier, and report exactly one violation for one broken rule', () => {
    const tiers = fc.constantFrom<RewardTier>(90, 93.5, 97);
    const others = fc.array(fc.constantFrom('manage-holders', 'international-travels', 'rate-lock-5m'));
    fc.assert(
      fc.property(valid, tiers, others, (request, tier, more) => {
        const able: ParentPermissions = { active: true, mode: 'kyc', capabilities: [...more, tierCapability(tier)] };
        const violationsOf = (parent: ParentPermissions) =>
          reported([...permissionViolations('kyc', tier, parent), ...requestViolations(request, filesAndWallets)]);
        expect(violationsOf(able)).toEqual([]);
        expect(violationsOf({ ...able, mode: 'reliance' })).toEqual(['reliance-mode-parent ']);
        expect(
          violationsOf({
            ...able,
            capabilities: [...more, ...([90, 93.5, 97] as const).filter((one) => one !== tier).map(tierCapability)],
          }),
        ).toEqual(['missing-capability reward-tier']);
      }),
    );
  });
});
