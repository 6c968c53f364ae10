/* global addEventListener, document, location, setTimeout */
import { call, callPlainly, followSession, Refused, useCsrfToken } from '../shell/api.js';
import { find } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { askToSignIn, pickUp } from './curtain.js';

/** @typedef {import('../types').Session} Session */

const ROUTE = '/staff/v1/session';
/**
 * How often the page checks whether the session still exists, so that personal data does not stay on the screen for
 * long after it has ended.
 */
const WATCH_MS = 45_000;
/** How often the page compares the clock with the end of the session: a sleeping computer has no running timers. */
const TICK_MS = 5_000;

/** @type {Session | undefined} */
let current;
/** When the session ends unless it is used, in milliseconds by this computer's clock. */
let endsAt = Infinity;
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
  endsAt = Math.min(Date.parse(session['idle-expires-at']), Date.parse(session['expires-at']));
  useCsrfToken(session['csrf-token']);
  followSession({ 'no-session': renew, 'csrf-token-mismatch': () => look({ background: true }) });
}

/**
 * Continues with a session of the cookie. If it belongs to someone else, who must not see or use this page, or if the
 * roles are others, the page is removed and loaded again, and the promise stays pending.
 * @param {Session} session @returns {Promise<void>}
 */
async function continueWith(session) {
  if (same(session, me())) return begin(session);
  find('main').replaceChildren();
  for (const dialog of document.querySelectorAll('dialog')) dialog.remove();
  location.reload();
  return new Promise(() => undefined);
}

/** @param {Session} one @param {Session} other */
const same = (one, other) => one['staff-id'] === other['staff-id'] && rolesOf(one) === rolesOf(other);

/** @param {Session} session */
const rolesOf = ({ roles }) => [...roles].sort().join();

/** Reads the session of the cookie and continues with it. @param {{ background: boolean }} options */
async function look({ background }) {
  await continueWith((await call('GET', ROUTE, { background, anySession: true })).session);
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

/** Ends the session of the cookie, which may have begun in another tab, if it belongs to the same person. */
async function endSession() {
  try {
    await callPlainly('DELETE', ROUTE);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'csrf-token-mismatch') throw error;
    await look({ background: true });
    await callPlainly('DELETE', ROUTE);
  }
}

export async function signOut() {
  try {
    await endSession();
  } catch (error) {
    // Without a response the session may still be open, and a user who leaves the desk must know that.
    if (!(error instanceof Refused) || error.status !== 401)
      return tell('Signing out failed. Check the connection and try again.');
  }
  followSession(undefined);
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
  let nextLook = Date.now() + WATCH_MS;
  const turn = async () => {
    try {
      if (Date.now() < Math.min(nextLook, endsAt)) return;
      nextLook = Date.now() + WATCH_MS;
      const background = !touched;
      touched = false;
      await look({ background });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // Without a response only the clock says whether the session has ended.
      if (Date.now() >= endsAt) await renew();
    } finally {
      setTimeout(turn, TICK_MS);
    }
  };
  setTimeout(turn, TICK_MS);
  // A page restored from the browser's cache shows old content, even if another user is signed in now.
  addEventListener('pageshow', (event) => {
    if (event.persisted) location.reload();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && renewal) void pickUp(known);
  });
}

/**
 * Hides the page and asks the user to sign in again. Typed text is kept and shown again afterwards.
 * @returns {Promise<void>}
 */
function renew() {
  renewal ??= askToSignIn({ name: me().name, known, leave })
    .then(continueWith)
    .then(() => tell('You are signed in again.'))
    .finally(() => {
      renewal = undefined;
    });
  return renewal;
}
