/** Reward tiers, in percent. */
export const REWARD_TIERS = [93.5, 90, 97] as const;

export type RewardTier = (typeof REWARD_TIERS)[number];

/** The capability that lets a parent onboard at a tier: `subaccounts-93.5-tier`. */
export function tierCapability(tier: RewardTier): `subaccounts-${RewardTier}-tier` {
  return `subaccounts-${tier}-tier`;
}

/** The capability that enables a rate lock on an account: `rate-lock-5m`. */
export function rateLockCapability(name: string): `rate-lock-${string}` {
  return `rate-lock-${name}`;
}
