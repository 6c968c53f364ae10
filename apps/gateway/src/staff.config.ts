import type { StaffRole } from '@ponte/contracts';
import { STAFF_ROLES } from '@ponte/contracts';
import type { Setting, Variables } from '@ponte/kernel';
import type { Environment } from '@ponte/nest';
import { readEach, SettingsReader } from '@ponte/kernel';

/** The OpenID provider of the staff, and the mapping of its roles. */
export interface OidcSettings {
  readonly issuer: URL;
  readonly clientId: string;
  /** Null for a public client, which only PKCE protects. */
  readonly clientSecret: string | null;
  /** The provider's name in the console. */
  readonly name: string;
  readonly scopes: string;
  /** The path of the claim that contains the roles. */
  readonly rolesClaim: readonly string[];
  /** Our roles by the provider's role names. */
  readonly roles: ReadonlyMap<string, readonly StaffRole[]>;
  /** How long a session is used until the provider is asked whether the person still has the roles. */
  readonly recheckMs: number;
}

/** How staff sign in, and how long sessions last. */
export interface StaffSettings {
  /** Origin of the console as browsers see it; null: the origin of the request. */
  readonly publicOrigin: string | null;
  /** Whether a browser on this machine may get a cookie without `Secure`. */
  readonly plainLoopback: boolean;
  readonly localSignIn: boolean;
  readonly oidc: OidcSettings | null;
  readonly idleMs: number;
  readonly absoluteMs: number;
}

export const STAFF_VARIABLES: readonly Setting[] = [
  {
    name: 'STAFF_PUBLIC_URL',
    meaning:
      'origin of the staff console as browsers see it, such as https://staff.example.com; required with OIDC in production',
    default: 'the origin of the request',
  },
  {
    name: 'STAFF_LOCAL_SIGN_IN',
    meaning: '`on` or `off`: sign-in of staff by name and password; production refuses to start with `on`',
    default: 'on only in the sandbox',
  },
  {
    name: 'STAFF_SESSION_IDLE_MINUTES',
    meaning: 'minutes without a request after which a staff session ends, 1 to 60',
    default: '15',
  },
  {
    name: 'STAFF_SESSION_HOURS',
    meaning: 'hours after which a staff session always ends, 1 to 12',
    default: '10',
  },
  { name: 'STAFF_OIDC_ISSUER', meaning: 'issuer of the OpenID provider of the staff; empty for none', default: '' },
  {
    name: 'STAFF_OIDC_CLIENT_ID',
    meaning: 'client id at the provider; the redirect URI is <STAFF_PUBLIC_URL>/staff/v1/session/oidc/callback',
    default: '',
  },
  { name: 'STAFF_OIDC_CLIENT_SECRET', meaning: 'secret of the client; empty for a public one', default: '' },
  { name: 'STAFF_OIDC_NAME', meaning: 'name of the provider in the console', default: "the issuer's host" },
  { name: 'STAFF_OIDC_SCOPES', meaning: 'requested scopes', default: 'openid profile' },
  {
    name: 'STAFF_OIDC_ROLES_CLAIM',
    meaning: 'claim that contains the roles; dots separate nested names',
    default: 'roles',
  },
  {
    name: 'STAFF_OIDC_ROLES',
    meaning: 'comma-separated `their-role=our-role` pairs',
    default: 'each of our roles under its own name',
  },
  {
    name: 'STAFF_OIDC_RECHECK_MINUTES',
    meaning:
      'minutes after which the provider is asked again whether a signed-in person still has the same roles, 1 to 60; needs a refresh token, for which most providers require the scope offline_access',
    default: '10',
  },
];

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a host name (without a port) means this machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.has(hostname.toLowerCase());

/** Throws an error that names the variable when a setting is invalid or not allowed in production. */
export function readStaffSettings(env: Variables, environment: Environment): StaffSettings {
  const settings = new SettingsReader(STAFF_VARIABLES, env);
  const production = environment === 'production';
  return readEach({
    publicOrigin: () => publicOriginOf(settings, production),
    oidc: () => oidcOf(settings),
    plainLoopback: () => !production,
    localSignIn: () => localSignInOf(settings, production),
    idleMs: () => settings.wholeNumber('STAFF_SESSION_IDLE_MINUTES', 1, 60) * MINUTE_MS,
    absoluteMs: () => settings.wholeNumber('STAFF_SESSION_HOURS', 1, 12) * HOUR_MS,
  });
}

function publicOriginOf(settings: SettingsReader, production: boolean): string | null {
  const origin = originOf('STAFF_PUBLIC_URL', settings.optional('STAFF_PUBLIC_URL'));
  if (production && origin?.startsWith('http:'))
    throw new Error(
      'STAFF_PUBLIC_URL must be an https URL in production, even on this machine, because the session is a Secure cookie',
    );
  if (production && origin === null && settings.optional('STAFF_OIDC_ISSUER') !== null)
    throw new Error(
      'STAFF_PUBLIC_URL is required with STAFF_OIDC_ISSUER in production: the provider sends browsers back there',
    );
  return origin;
}

function localSignInOf(settings: SettingsReader, production: boolean): boolean {
  const isOn = settings.oneOf('STAFF_LOCAL_SIGN_IN', ['on', 'off'], production ? 'off' : 'on') === 'on';
  if (production && isOn)
    throw new Error(
      'STAFF_LOCAL_SIGN_IN=on is only for the sandbox: in production staff sign in with their own provider, see STAFF_OIDC_ISSUER',
    );
  return isOn;
}

function oidcOf(settings: SettingsReader): OidcSettings | null {
  const text = settings.optional('STAFF_OIDC_ISSUER');
  if (text === null) return null;
  const issuer = webAddress('STAFF_OIDC_ISSUER', text);
  return readEach({
    issuer: () => issuer,
    clientId: () => settings.required('STAFF_OIDC_CLIENT_ID', 'with STAFF_OIDC_ISSUER'),
    scopes: () => {
      const scopes = settings.text('STAFF_OIDC_SCOPES').trim();
      if (!scopes.split(/\s+/).includes('openid')) throw new Error('STAFF_OIDC_SCOPES must contain openid');
      return scopes;
    },
    clientSecret: () => settings.optional('STAFF_OIDC_CLIENT_SECRET'),
    name: () => settings.text('STAFF_OIDC_NAME', issuer.host),
    rolesClaim: () => settings.text('STAFF_OIDC_ROLES_CLAIM').split('.'),
    roles: () => rolesOf(settings.text('STAFF_OIDC_ROLES', STAFF_ROLES.map((role) => `${role}=${role}`).join(','))),
    recheckMs: () => settings.wholeNumber('STAFF_OIDC_RECHECK_MINUTES', 1, 60) * MINUTE_MS,
  });
}

function rolesOf(text: string): ReadonlyMap<string, readonly StaffRole[]> {
  const roles = new Map<string, StaffRole[]>();
  for (const pair of text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')) {
    const at = pair.lastIndexOf('=');
    const [theirs, ours] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
    const role = STAFF_ROLES.find((one) => one === ours);
    if (theirs === '' || !role)
      throw new Error(
        `STAFF_OIDC_ROLES: ${pair} must be their-role=our-role with one of our roles: ${STAFF_ROLES.join(', ')}`,
      );
    roles.set(theirs, [...(roles.get(theirs) ?? []), role]);
  }
  return roles;
}

function originOf(name: string, text: string | null): string | null {
  if (text === null) return null;
  const url = webAddress(name, text);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error(`${name} must be an origin without a path, such as https://staff.example.com`);
  return url.origin;
}

/** Parses a URL that must be https, or http on this machine. */
function webAddress(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    url.username !== '' ||
    (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname)))
  ) {
    throw new Error(`${name} must be an https URL (http only on this machine), not ${text}`);
  }
  return url;
}
