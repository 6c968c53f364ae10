import { hash, timingSafeEqual } from 'node:crypto';

/** The format of a session secret: 32 random bytes in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;

export const isSessionSecret = (text: string | undefined): text is string => text !== undefined && FORM.test(text);

/** The id under which a session is stored. A copy of the table opens no session, because the id is a hash. */
export const sessionIdOf = (secret: string): string => hash('sha256', `ponte-staff-session:${secret}`, 'hex');

/** The token that writes must send. Only one of our pages can read it, and it changes with the session. */
export const csrfTokenOf = (secret: string): string => hash('sha256', `ponte-staff-csrf:${secret}`, 'base64url');

/** Whether a value is the token of the session with this secret. */
export function isCsrfToken(sent: unknown, secret: string): boolean {
  if (typeof sent !== 'string') return false;
  // Compares hashes of equal length, so that the timing reveals neither length nor characters.
  return timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', csrfTokenOf(secret), 'buffer'));
}
