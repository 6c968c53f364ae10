import { REWARD_TIERS, tierCapability } from '@ponte/kernel';

/** Capabilities with a fixed name; beside them every rate lock has its own, see {@link isCapability}. */
export const CAPABILITIES: readonly string[] = [
  ...REWARD_TIERS.map(tierCapability),
  'manage-holders',
  'international-travels',
  'pay-after-acceptance',
];

/** Names of rate locks are configuration of pricing, so onboarding knows their form alone: `rate-lock-5m`. */
const RATE_LOCK = /^rate-lock-(?=.{1,40}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const isCapability = (name: string): boolean => CAPABILITIES.includes(name) || RATE_LOCK.test(name);
