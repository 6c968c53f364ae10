import { chip } from '../shell/dom.js';
import { me } from '../session/session.js';
import { FREEZE_REASONS, plain, RELEASE_REASONS, shortId } from '../shell/words.js';

/** @typedef {import('../types').AccountLine} AccountLine */

/** @param {string | null} reason */
export const reasonOf = (reason) =>
  reason === null ? '' : (FREEZE_REASONS[reason] ?? RELEASE_REASONS[reason] ?? plain(reason));
/** @param {import('../types').Named | null} staff */
export const nameOf = (staff) =>
  staff === null ? 'the system' : staff.id === me()['staff-id'] ? 'you' : (staff.name ?? shortId(staff.id));
/** @param {AccountLine} account */
export const statusChip = ({ status }) =>
  chip(plain(status), status === 'frozen' ? 'bad' : status === 'active' ? 'good' : '');
