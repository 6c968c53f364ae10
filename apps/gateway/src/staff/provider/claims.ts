import type { StaffRole } from '@ponte/contracts';
import { STAFF_ROLES } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { ProvenIdentity } from './sign-in-provider.port';
import type { OidcSettings } from '../../staff.config';
import type { ProvenMember } from '../sign-in.service';

type Claims = ProvenIdentity['claims'];

const MAX_SHOWN_NAME = 100;

/** Issuer and subject identify a person permanently; a name or an e-mail address does not. */
export const staffIdOf = ({ issuer, subject }: Pick<ProvenIdentity, 'issuer' | 'subject'>): string =>
  derivedId('staff-oidc', issuer, subject);

/** Maps the provider's claims to a staff member. `roles` is empty when none of the claimed roles is mapped. */
export const memberOf = (
  identity: ProvenIdentity,
  { rolesClaim, roles }: Pick<OidcSettings, 'rolesClaim' | 'roles'>,
): ProvenMember => {
  const granted = new Set(textsAt(identity.claims, rolesClaim).flatMap((theirs) => roles.get(theirs) ?? []));
  return {
    staffId: staffIdOf(identity),
    name: nameIn(identity),
    roles: STAFF_ROLES.filter((role): role is StaffRole => granted.has(role)),
    way: 'oidc',
    refreshToken: identity.refreshToken,
  };
};

/**
 * Reads a list of strings, or one string with spaces between the entries, because providers differ. A claim whose own
 * name contains dots is found too.
 */
function textsAt(claims: Claims, path: readonly string[]): readonly string[] {
  const whole = claims[path.join('.')];
  const value =
    whole ??
    path.reduce<unknown>(
      (inner, member) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, member)
          ? (inner as Claims)[member]
          : undefined,
      claims,
    );
  if (typeof value === 'string') return value.split(/\s+/);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function nameIn({ claims, subject }: ProvenIdentity): string {
  const texts = [claims['name'], claims['preferred_username'], claims['email'], subject].filter(
    (one) => typeof one === 'string',
  );
  const clean = texts
    .map((one) =>
      one
        .replace(/[\p{Cc}\p{Cs}\p{Cf}]/gu, '')
        .trim()
        .slice(0, MAX_SHOWN_NAME),
    )
    .find((one) => one !== '');
  return clean ?? 'unnamed';
}
