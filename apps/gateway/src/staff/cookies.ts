import type { FastifyRequest } from 'fastify';

/**
 * Browsers accept a cookie with this prefix only when it is Secure and set by this host for all its paths. No
 * sub-domain can replace it.
 */
const HOST_PREFIX = '__Host-';

interface CookieKind {
  readonly name: string;
  /** `Strict`: not sent with any request that another site started. `Lax`: sent with navigations from another site. */
  readonly sameSite: 'Strict' | 'Lax';
}

export const SESSION_COOKIE: CookieKind = { name: 'ponte-staff', sameSite: 'Strict' };
/** Lax, because the provider sends the browser back, which is a navigation that another site started. */
export const PENDING_COOKIE: CookieKind = { name: 'ponte-staff-sign-in', sameSite: 'Lax' };

const nameOf = ({ name }: CookieKind, secure: boolean): string => (secure ? `${HOST_PREFIX}${name}` : name);

/** Undefined when the cookie was not sent, or sent more than once: it is then unknown which one is ours. */
export function readCookie({ headers }: FastifyRequest, kind: CookieKind, secure: boolean): string | undefined {
  const prefix = `${nameOf(kind, secure)}=`;
  const sent = (headers.cookie ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(prefix));
  return sent.length === 1 ? sent[0]?.slice(prefix.length) : undefined;
}

/** Formats a `set-cookie` header for a cookie that lasts until the browser closes, or for `maxAgeSeconds`. */
export const cookie = (kind: CookieKind, value: string, secure: boolean, maxAgeSeconds?: number): string =>
  [
    `${nameOf(kind, secure)}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${kind.sameSite}`,
    ...(secure ? ['Secure'] : []),
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
  ].join('; ');

/** Formats a `set-cookie` header that deletes the cookie. */
export const noCookie = (kind: CookieKind, secure: boolean): string => cookie(kind, '', secure, 0);
