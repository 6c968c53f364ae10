import type { StaffRole } from '@ponte/contracts';
import { STAFF_ROLES } from '@ponte/contracts';
import { isoTime } from '@ponte/kernel';
import type { StaffSettings } from '../../staff.config';
import type { SignedIn } from '../../staff/signed-in';
import { flag, instant, oneOf, text, uuid } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { NullableObject, Optional, Required } from '../../validation/fields';
import { listOfWords } from '../../validation/list-field-types';
import { SAMPLE } from '../../api/samples';

export const STAFF_WAYS = ['local', 'oidc'] as const;
export const STAFF_ID = '6a1f0d2c-3b4e-8c5d-9e6f-70818293a4b5';
/** Longer than the name of any person. */
export const MAX_NAME = 200;

/** The body of a password sign-in, which only the sandbox has. */
export class SignInDto {
  @Required(text(1, 100), 'The name, as `sandbox.json` lists it', 'approver-1')
  name!: string;

  @Required(text(1, 200), 'The password', 'correct horse battery staple')
  password!: string;
}

export class SessionDto {
  @Required(uuid, 'The id of the staff member, as in cases and histories', STAFF_ID)
  'staff-id'!: string;

  @Required(text(1, MAX_NAME), 'The display name', 'approver-1')
  name!: string;

  @Required(listOfWords(1, STAFF_ROLES), 'The roles of the staff member', ['compliance-approver'])
  roles!: StaffRole[];

  @Required(oneOf(STAFF_WAYS), 'How they signed in', 'local')
  way!: string;

  @Required(
    text(43, 43),
    'The value of the X-CSRF-Token header, which every write requires',
    'Zm9yLXRoZS14LWNzcmYtdG9rZW4tb2YtZXZlcnktd3J',
  )
  'csrf-token'!: string;

  @Required(instant, 'When the session began', SAMPLE.time)
  'signed-in-at'!: string;

  @Required(instant, 'When it expires if it is not used', SAMPLE.later)
  'idle-expires-at'!: string;

  @Required(instant, 'When it ends in any case', '2026-01-31T22:00:00.000Z')
  'expires-at'!: string;
}

export class SessionEnvelopeDto extends EnvelopeOf('session', () => SessionDto, 'The session') {}

export class OidcWayDto {
  @Required(text(1, 200), 'The display name of the provider', 'Example SSO')
  name!: string;

  @Required(text(1, 200), 'Where to send the browser', '/staff/v1/session/oidc')
  href!: string;
}

export class WaysDto {
  @Required(flag, 'Whether staff can sign in with a name and password', true)
  local!: boolean;

  @NullableObject(() => OidcWayDto, 'The sign-in provider, or null')
  oidc!: OidcWayDto | null;
}

/** The path to which the browser returns after the sign-in with the provider. */
export class ReturnQuery {
  @Optional(text(0, 300), 'A path under /console/. Any other path is ignored', '/console/')
  'return-to'?: string;
}

export const sessionDto = ({ session, csrfToken }: SignedIn, name: string, { idleMs }: StaffSettings): SessionDto => ({
  'staff-id': session.staffId,
  name,
  roles: [...session.roles],
  way: session.way,
  'csrf-token': csrfToken,
  'signed-in-at': isoTime(session.signedInAtMs),
  'idle-expires-at': isoTime(Math.min(session.seenAtMs + idleMs, session.expiresAtMs)),
  'expires-at': isoTime(session.expiresAtMs),
});
