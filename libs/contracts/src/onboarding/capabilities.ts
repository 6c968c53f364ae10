import type { Violation } from '@ponte/kernel';
import { REWARD_TIERS, tierCapability } from '@ponte/kernel';

/**
 * Capabilities with a fixed name. In addition, each rate lock has its own, see {@link isCapability}. In the
 * specification no decision depends on `auto-claim-rewards`, so granting it has no effect.
 */
export const CAPABILITIES: readonly string[] = [
  ...REWARD_TIERS.map(tierCapability),
  'manage-holders',
  'auto-claim-rewards',
  'international-travels',
  'pay-after-acceptance',
];

/** Names of rate locks are configuration of pricing, so onboarding only knows their form: `rate-lock-5m`. */
const RATE_LOCK = /^rate-lock-(?=.{1,40}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const isCapability = (name: string): boolean => CAPABILITIES.includes(name) || RATE_LOCK.test(name);

/** Finds unknown names, which would silently grant nothing. The violations do not repeat the name. */
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

/** The violations of a change of capabilities, by the paths of the request. */
export const capabilityChangeViolations = (grant: readonly string[], revoke: readonly string[]): Violation[] => [
  ...capabilityViolations(grant, 'grant'),
  ...capabilityViolations(revoke, 'revoke'),
  ...revoke.flatMap((name, at): Violation[] =>
    grant.includes(name)
      ? [{ code: 'invalid-format', path: `revoke[${at}]`, message: 'a capability can be granted or revoked, not both' }]
      : [],
  ),
];
