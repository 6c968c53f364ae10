import { hasRole, me } from '../session/session.js';
import { actionButton } from '../shell/action-button.js';
import { call } from '../shell/api.js';
import { formDialog } from '../shell/dialogs.js';
import { card, el, fill, tableHead } from '../shell/dom.js';
import { tell } from '../shell/live.js';
import { when } from '../shell/time.js';
import { plain, ROLES } from '../shell/words.js';

/**
 * @typedef {import('../types').StaffMember} StaffMember
 * @typedef {import('../shell/router.js').Visit} Visit
 */

/** @type {Record<string, string>} */
const WAYS = { local: 'Name and password', oidc: 'OpenID provider' };

/** Shows everyone who has ever signed in. Operators end the sessions of a staff member. @param {Visit} visit */
export async function showStaff({ main, signal }) {
  const { staff } = await call('GET', '/staff/v1/staff', { signal });
  const end = async (/** @type {StaffMember} */ { id, name }) => {
    const { ended } = await call('POST', `/staff/v1/staff/${id}/end-sessions`);
    tell(told(name, ended));
  };
  fill(
    main,
    el('h1', { tabindex: '-1' }, 'Staff'),
    el(
      'p',
      { class: 'muted' },
      'Everyone who has ever signed in here, with their roles at the last sign-in. Roles and accounts are managed ' +
        'elsewhere. End the sessions of a staff member who leaves or has lost a device.',
    ),
    card(
      `Staff (${staff.length})`,
      { wide: true },
      el(
        'table',
        { class: 'plain' },
        tableHead(['Name', 'Roles', 'Signs in with', 'Last sign-in', 'Sessions']),
        el(
          'tbody',
          null,
          staff.map((/** @type {StaffMember} */ one) => memberRow(one, () => end(one))),
        ),
      ),
    ),
  );
}

/** @param {string} name @param {number} ended the number of sessions */
function told(name, ended) {
  if (ended === 0) return `${name} has no open session.`;
  return ended === 1 ? `1 session of ${name} was ended.` : `${ended} sessions of ${name} were ended.`;
}

/** @param {StaffMember} member @param {() => Promise<void>} end */
const memberRow = (member, end) =>
  el(
    'tr',
    null,
    el('td', null, member.name, member.id === me()['staff-id'] && el('span', { class: 'muted' }, ' (you)')),
    el('td', null, member.roles.map((role) => ROLES[role] ?? plain(role)).join(', ')),
    el('td', null, WAYS[member.way] ?? plain(member.way)),
    el('td', null, when(member['last-signed-in-at'])),
    el(
      'td',
      null,
      actionButton(
        'End the sessions…',
        'danger small',
        () => void endDialog(member, end),
        hasRole('operator') ? '' : 'Only operators end the sessions of others.',
      ),
    ),
  );

/** @param {StaffMember} member @param {() => Promise<void>} send */
const endDialog = ({ id, name }, send) =>
  formDialog(
    {
      title: 'End the sessions',
      lead: [
        `${name} is signed out everywhere at once, and loses what has not been sent yet. `,
        id === me()['staff-id']
          ? 'This is your own account: you sign in again afterwards.'
          : 'They can sign in again unless their account is closed.',
      ],
      fields: [],
      button: 'End the sessions',
      danger: true,
      body: () => ({}),
    },
    send,
  );
