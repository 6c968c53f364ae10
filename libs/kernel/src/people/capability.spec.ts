import { REWARD_TIERS, rateLockCapability, tierCapability } from '../index';

describe('capabilities', () => {
  it('contain the tier: 90 → subaccounts-90-tier, 93.5 → subaccounts-93.5-tier, 97 → subaccounts-97-tier', () => {
    expect(REWARD_TIERS.map(tierCapability)).toEqual([
      'subaccounts-93.5-tier',
      'subaccounts-90-tier',
      'subaccounts-97-tier',
    ]);
    expect(rateLockCapability('24h')).toBe('rate-lock-24h');
  });
});
