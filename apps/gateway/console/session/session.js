/* global addEventListener, document, location, setTimeout */
import { call, callPlainly, Refused, useCsrfToken, whenSessionEnds } from '../shell/api.js';
import { openDialog } from '../shell/dialogs.js';
import { el, find } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { credentialsForm, providerLink } from './sign-in.js';

/** @typedef {import('../types').Session} Session */

const ROUTE = '/staff/v1/session';
/**
 * How often the page checks whether the session still exists, so that personal data does not stay on the screen for
 * long after it has ended.
 */
const WATCH_MS = 45_000;

/** @type {Session | undefined} */
let current;
/** Whether there was user input since the last check. */
let touched = false;
/** @type {Promise<void> | undefined} */
let renewal;

/** The session of the signed-in staff member. Throws when no one is signed in. */
export function me() {
  if (!current) throw new Error('no one is signed in');
  return current;
}

/** @param {...string} roles */
export const hasRole = (...roles) => me().roles.some((role) => roles.includes(role));
export const isReviewer = () => hasRole('compliance-analyst', 'compliance-approver');
export const isApprover = () => hasRole('compliance-approver');
export const maySeeCases = () => hasRole('compliance-analyst', 'compliance-approver', 'auditor');
export const maySeePrivacy = () => hasRole('compliance-approver', 'auditor');
export const maySeeReports = () => hasRole('operator', 'auditor');

/** @param {Session} session */
export function begin(session) {
  current = session;
  useCsrfToken(session['csrf-token']);
  whenSessionEnds(renew);
}

/** The session of the cookie, or undefined when it has ended. @returns {Promise<Session | undefined>} */
export async function known() {
  try {
    return (await callPlainly('GET', ROUTE)).session;
  } catch (error) {
    if (error instanceof Refused && error.code === 'no-session') return undefined;
    throw error;
  }
}

/** Removes the page from the screen and from the browser's history. */
function leave() {
  find('main').replaceChildren();
  location.replace('/console');
}

export async function signOut() {
  try {
    await callPlainly('DELETE', ROUTE);
  } catch (error) {
    // Without a response the session may still be open, and a user who leaves the desk must know that.
    if (!(error instanceof Refused) || error.status !== 401)
      return tell('Signing out failed. Check the connection and try again.');
  }
  whenSessionEnds(undefined);
  leave();
}

/** Regularly checks whether the session still exists. User input extends it; a page that is only open does not. */
export function watch() {
  for (const sign of ['keydown', 'pointerdown', 'wheel'])
    addEventListener(
      sign,
      () => {
        touched = true;
      },
      { passive: true, capture: true },
    );
  const look = async () => {
    const background = !touched;
    touched = false;
    try {
      begin((await call('GET', ROUTE, { background })).session);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
    setTimeout(look, WATCH_MS);
  };
  setTimeout(look, WATCH_MS);
  // A page restored from the browser's cache shows old content, even if another user is signed in now.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && renewal) void pickUp();
  });
}

/** Picks up a session that began in another tab, at the provider. */
async function pickUp() {
  const session = await known().catch(() => undefined);
  if (session) renewed(session);
}

/** @type {(session: Session) => void} */
let renewed = () => undefined;

/**
 * Hides the page and asks the user to sign in again. Typed text is kept and shown again afterwards.
 * @returns {Promise<void>}
 */
function renew() {
  renewal ??= ask().then((session) => {
    renewal = undefined;
    if (session['staff-id'] !== me()['staff-id']) {
      // Another user has signed in and must not see the previous page.
      location.reload();
      return new Promise(() => undefined);
    }
    begin(session);
    tell('You are signed in again.');
  });
  return renewal;
}

/** @returns {Promise<Session>} */
async function ask() {
  const ways = await callPlainly('GET', `${ROUTE}/ways`);
  const session = await openDialog(
    'Your session has ended',
    (close) => {
      renewed = close;
      return [
        el('p', null, 'Sign in again to continue where you were. What you typed is kept.'),
        ways.local ? credentialsForm({ name: me().name, done: close }) : null,
        ways.oidc ? providerLink(ways.oidc, { newTab: true }) : null,
        ways.oidc
          ? el('button', { type: 'button', class: 'button', onclick: () => void pickUp() }, 'I have signed in there')
          : null,
        el('button', { type: 'button', class: 'button quiet', onclick: leave }, 'Leave this page instead'),
      ];
    },
    { class: 'curtain', dismissable: false },
  );
  if (!session) throw new Error('the sign-in cannot be dismissed');
  return session;
}
