import { callPlainly, Refused } from '../shell/api.js';
import { openDialog } from '../shell/dialogs.js';
import { el, fill, note } from '../shell/dom.js';
import { credentialsForm, providerLink } from './sign-in.js';

/**
 * @typedef {import('../types').Session} Session
 * @typedef {() => Promise<Session | undefined>} Known reads the session of the cookie, if it is still valid
 */

/** @type {(session: Session) => void} */
let renewed = () => undefined;

/** Picks up a session that began in another tab. @param {Known} known */
export async function pickUp(known) {
  const session = await known().catch(() => undefined);
  if (session) renewed(session);
}

/**
 * Hides the page behind a dialog that asks the user to sign in again. Resolves with the new session, which may be that
 * of someone else.
 * @param {{ name: string, known: Known, leave: () => void }} parts `leave`: removes the page
 * @returns {Promise<Session>}
 */
export async function askToSignIn({ name, known, leave }) {
  const session = await openDialog(
    'Your session has ended',
    (close) => {
      renewed = close;
      const ways = el('div', { class: 'stack' });
      void offerWays(ways, { name, known });
      return [
        el('p', null, 'Sign in again to continue where you were. What you typed is kept.'),
        ways,
        el('button', { type: 'button', class: 'button quiet', onclick: leave }, 'Leave this page instead'),
      ];
    },
    { class: 'curtain', dismissable: false },
  );
  if (!session) throw new Error('the sign-in cannot be dismissed');
  return session;
}

/**
 * Shows the ways to sign in, or continues with a session that is open. This needs the server, so the page is hidden
 * before.
 * @param {HTMLElement} box @param {{ name: string, known: Known }} parts
 */
async function offerWays(box, { name, known }) {
  try {
    const session = await known();
    if (session) return renewed(session);
    const { local, oidc } = /** @type {import('../types').Ways} */ (await callPlainly('GET', '/staff/v1/session/ways'));
    fill(
      box,
      local && credentialsForm({ name, done: (signedIn) => renewed(signedIn) }),
      oidc && providerLink(oidc, { newTab: true }),
      oidc &&
        el('button', { type: 'button', class: 'button', onclick: () => void pickUp(known) }, 'I have signed in there'),
    );
    const first = /** @type {HTMLElement | null} */ (box.querySelector('[data-focus]'));
    first?.focus();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const again = el(
      'button',
      { type: 'button', class: 'button', onclick: () => void offerWays(box, { name, known }) },
      'Try again',
    );
    fill(box, note('bad', error.message), again);
    again.focus();
  }
}
