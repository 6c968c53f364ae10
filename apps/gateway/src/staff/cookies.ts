import type { FastifyRequest } from 'fastify';

/**
 * Browsers take a cookie of this name only when it is Secure, of this host and of the whole of it: no sub-domain can
 * put one in its place.
 */
const HOST_PREFIX = '__Host-';

export interface CookieKind {
  readonly name: string;
  /** `Strict`: sent with no request that another site began. `Lax`: with a navigation too. */
  readonly sameSite: 'Strict' | 'Lax';
}

export const SESSION_COOKIE: CookieKind = { name: 'ponte-staff', sameSite: 'Strict' };
/** The provider sends the browser back, which is a navigation that another site began. */
export const PENDING_COOKIE: CookieKind = { name: 'ponte-staff-sign-in', sameSite: 'Lax' };

const nameOf = ({ name }: CookieKind, secure: boolean): string => (secure ? `${HOST_PREFIX}${name}` : name);

/** Undefined when it was not sent, or more than once: it is then unknown which of them is ours. */
export function readCookie({ headers }: FastifyRequest, kind: CookieKind, secure: boolean): string | undefined {
  const prefix = `${nameOf(kind, secure)}=`;
  const sent = (headers.cookie ?? '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one.startsWith(prefix));
  return sent.length === 1 ? sent[0]?.slice(prefix.length) : undefined;
}

/** Until the browser ends, or for so many seconds. */
export const cookie = (kind: CookieKind, value: string, secure: boolean, maxAgeSeconds?: number): string =>
  [
    `${nameOf(kind, secure)}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${kind.sameSite}`,
    ...(secure ? ['Secure'] : []),
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
  ].join('; ');

/** Takes the cookie away. */
export const noCookie = (kind: CookieKind, secure: boolean): string => cookie(kind, '', secure, 0);
