import { CAPABILITIES, isCapability } from '@ponte/contracts';
import type { Fault } from '@ponte/kernel';
import { fault } from '../texts';

/** contract.md §2: the names that exist. Anything else is a mistake that would silently grant nothing. */
export const capabilityFaults = (names: readonly string[], path: string): Fault[] =>
  names.flatMap((name, at) => (isCapability(name) ? [] : [fault('invalid-enum-value', `${path}[${at}]`, `a capability is one of ${CAPABILITIES.join(', ')}, rate-lock-<name>`)]));

export const changeFaults = (grant: readonly string[], revoke: readonly string[]): Fault[] => [
  ...capabilityFaults(grant, 'grant'),
  ...capabilityFaults(revoke, 'revoke'),
  ...revoke.flatMap((name, at) => (grant.includes(name) ? [fault('invalid-format', `revoke[${at}]`, 'a capability is granted or revoked, not both')] : [])),
];
