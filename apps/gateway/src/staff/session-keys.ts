import { hash, timingSafeEqual } from 'node:crypto';

/** What a cookie of ours looks like: 32 random bytes. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

export const isSessionSecret = (text: string | undefined): text is string => text !== undefined && FORM.test(text);

/** Under which a session lies: a copy of the table opens nothing. */
export const sessionIdOf = (secret: string): string => hash('sha256', `ponte-staff-session:${secret}`, 'hex');

/** The token that writes have to carry: only a page of ours can read it, and it changes with the session. */
export const csrfTokenOf = (secret: string): string => hash('sha256', `ponte-staff-csrf:${secret}`, 'base64url');

export function isCsrfToken(sent: unknown, secret: string): boolean {
  if (typeof sent !== 'string') return false;
  // Hashes of one length, so that neither length nor letters show in the time.
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', csrfTokenOf(secret), 'buffer'));
}
