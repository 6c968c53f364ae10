import type { PersonalData } from '@ponte/event-sourcing';
import { readSealedToken, writeSealedToken } from './sealed-token';
import type { PendingSignIn } from './provider/sign-in-provider.port';

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

/** Seals a pending sign-in for the browser's own cookie, so it is bound to that browser. */
export const writePending = (personalData: Pick<PersonalData, 'seal'>, pending: Pending): Promise<string> =>
  writeSealedToken(personalData, SUBJECT, pending);

/** Undefined when the cookie is not ours or has expired. */
export const readPending = (
  personalData: Pick<PersonalData, 'open'>,
  text: string | undefined,
  nowMs: number,
): Promise<Pending | undefined> => readSealedToken<Pending>(personalData, SUBJECT, text ?? '', nowMs);
