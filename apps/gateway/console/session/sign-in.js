/* global FormData, document, location */
import { callPlainly, Refused } from '../shell/api.js';
import { el, fill, freshId } from '../shell/dom.js';

/**
 * @typedef {import('../types').Session} Session
 * @typedef {import('../types').Ways} Ways
 */

/** @param {Refused} refusal */
const said = ({ code, retryAfter, message }) => {
  if (code === 'sign-in-refused') return 'Name or password is wrong.';
  if (code === 'rate-limited') return `Too many attempts. Try again in ${Math.max(1, retryAfter)} s.`;
  return message;
};

/**
 * The form for name and password.
 * @param {{ name?: string, done: (session: Session) => void }} options
 */
export function credentialsForm({ name = '', done }) {
  const errorId = freshId('error');
  const error = el('p', { class: 'note bad', id: errorId, role: 'alert', hidden: true });
  const field = (
    /** @type {string} */ word,
    /** @type {string} */ label,
    /** @type {Record<string, string | boolean>} */ more,
  ) => {
    const id = freshId(word);
    return el(
      'div',
      { class: 'field' },
      el('label', { for: id }, label),
      el('input', { id, name: word, required: true, maxlength: 200, 'aria-describedby': errorId, ...more }),
    );
  };
  const button = el('button', { class: 'button primary wide' }, 'Sign in');
  const form = el(
    'form',
    {
      class: 'stack',
      onsubmit: async (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        const password = /** @type {HTMLInputElement} */ (form.elements.namedItem('password'));
        button.disabled = true;
        try {
          done((await callPlainly('POST', '/staff/v1/session', Object.fromEntries(new FormData(form)))).session);
        } catch (problem) {
          if (!(problem instanceof Refused)) throw problem;
          error.hidden = false;
          fill(error, said(problem));
          password.value = '';
          password.focus();
        } finally {
          button.disabled = false;
        }
      },
    },
    field('name', 'Name', {
      type: 'text',
      autocomplete: 'username',
      autocapitalize: 'none',
      spellcheck: 'false',
      value: name,
    }),
    field('password', 'Password', { type: 'password', autocomplete: 'current-password', 'data-focus': name !== '' }),
    error,
    button,
  );
  return form;
}

/** @param {NonNullable<Ways['oidc']>} provider @param {{ newTab?: boolean }} [options] */
export function providerLink({ name, href }, { newTab = false } = {}) {
  const back = newTab ? '/console/signed-in' : location.pathname + location.search;
  return el(
    'a',
    {
      class: 'button wide',
      href: `${href}?return-to=${encodeURIComponent(back)}`,
      ...(newTab ? { target: '_blank', rel: 'noopener' } : {}),
    },
    `Sign in with ${name}${newTab ? ' (opens a new tab)' : ''}`,
  );
}

/**
 * Shows the sign-in page; resolves after the sign-in.
 * @param {HTMLElement} main
 * @returns {Promise<Session>}
 */
export async function showSignIn(main) {
  document.title = 'Sign in · Ponte compliance';
  const ways = /** @type {Ways} */ (await callPlainly('GET', '/staff/v1/session/ways'));
  return new Promise((done) => {
    const form = ways.local ? credentialsForm({ done }) : null;
    fill(
      main,
      el(
        'div',
        { class: 'sign-in' },
        el(
          'div',
          { class: 'card' },
          el('h1', null, 'Sign in'),
          el('p', { class: 'muted' }, 'Ponte compliance console, for staff.'),
          ways.oidc && !ways.local ? el('div', { class: 'stack' }, el('p', null), providerLink(ways.oidc)) : null,
          form,
          ways.oidc && ways.local ? [el('p', { class: 'or' }, 'or'), providerLink(ways.oidc)] : null,
          !ways.oidc && !ways.local
            ? el(
                'p',
                { class: 'note warn' },
                'No way to sign in is configured. Ask the administrator of this installation.',
              )
            : null,
        ),
      ),
    );
    form?.querySelector('input')?.focus();
  });
}
