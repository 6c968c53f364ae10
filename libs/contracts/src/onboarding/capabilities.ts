import type { Violation } from '@ponte/kernel';
import { REWARD_TIERS, tierCapability } from '@ponte/kernel';

/**
 * Capabilities with a fixed name; beside them every rate lock has its own, see {@link isCapability}. The specification
 * makes no decision depend on `auto-claim-rewards`: it is granted, listed and revoked, and changes nothing else.
 */
export const CAPABILITIES: readonly string[] = [
  ...REWARD_TIERS.map(tierCapability),
  'manage-holders',
  'auto-claim-rewards',
  'international-travels',
  'pay-after-acceptance',
];

/** Names of rate locks are configuration of pricing, so onboarding knows their form alone: `rate-lock-5m`. */
const RATE_LOCK = /^rate-lock-(?=.{1,40}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const isCapability = (name: string): boolean => CAPABILITIES.includes(name) || RATE_LOCK.test(name);

/**
 * The names that exist. Anything else is a mistake that would silently grant nothing. Told without the
 * name that was sent.
 */
export const capabilityViolations = (names: readonly string[], path: string): Violation[] =>
  names.flatMap((name, at) =>
    isCapability(name)
      ? []
      : [
          {
            code: 'invalid-enum-value',
            path: `${path}[${at}]`,
            message: `must be one of ${CAPABILITIES.join(', ')}, rate-lock-<name>`,
          },
        ],
  );

/** What is wrong with a change of capabilities, as its sender wrote it. */
export const capabilityChangeViolations = (grant: readonly string[], revoke: readonly string[]): Violation[] => [
  ...capabilityViolations(grant, 'grant'),
  ...capabilityViolations(revoke, 'revoke'),
  ...revoke.flatMap((name, at): Violation[] =>
    grant.includes(name)
      ? [{ code: 'invalid-format', path: `revoke[${at}]`, message: 'a capability can be granted or revoked, not both' }]
      : [],
  ),
];
