import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import type { PendingSignIn } from './sign-in-provider.port';

/** Subject under which a pending sign-in is sealed. */
const SUBJECT = 'staff-sign-in';
/** Long enough for a second factor. */
export const PENDING_SECONDS = 600;
const CONSOLE = '/console/';
/** Excludes everything that a browser could interpret as another host. */
const RETURN_TO = /^\/console\/[A-Za-z0-9/_.~-]*(?:\?[A-Za-z0-9=&_.~%:-]*)?$/;

export interface Pending extends PendingSignIn {
  readonly returnTo: string;
  /** Epoch milliseconds of the system clock. */
  readonly until: number;
}

/** The path to which the browser returns: always a page of the console, for any input. */
export const returnPath = (given: string | undefined): string =>
  given !== undefined && RETURN_TO.test(given) && !/\/\/|\.\./.test(given) ? given : CONSOLE;

/**
 * Seals a pending sign-in for the browser's own cookie. It is therefore bound to that browser, any replica can continue
 * it, and an abandoned sign-in leaves nothing behind.
 */
export async function writePending(personalData: Pick<PersonalData, 'seal'>, pending: Pending): Promise<string> {
  return Buffer.from(await personalData.seal(SUBJECT, JSON.stringify(pending))).toString('base64url');
}

/** Undefined when the cookie is not ours or has expired. */
export async function readPending(
  personalData: Pick<PersonalData, 'open'>,
  text: string | undefined,
  nowMs: number,
): Promise<Pending | undefined> {
  const sealed = Buffer.from(text ?? '', 'base64url').toString('utf8');
  if (!sealed.startsWith(`sealed:v1:${SUBJECT}:`)) return undefined;
  try {
    const pending = JSON.parse(await personalData.open(sealed as Sealed)) as Pending;
    return nowMs < pending.until ? pending : undefined;
  } catch {
    return undefined;
  }
}
