import { chip } from '../shell/dom.js';
import { me } from '../session/session.js';
import { plain, shortId } from '../shell/words.js';
import { CLOSING_REASONS, FREEZE_REASONS, RELEASE_REASONS } from './standing-words.js';

/** @typedef {import('../types').AccountLine} AccountLine */

/**
 * A change of the standing of an account: what its buttons say, the statuses that it starts from, and its reasons.
 * @typedef {{ ask: string, noun: string, confirmed: string, from: string[], danger: boolean, lead: string,
 *   reasons: Record<string, string>, writesOff?: boolean }} Step
 */

/** @type {Record<'freeze' | 'release' | 'close', Step>} */
export const STEPS = {
  freeze: {
    ask: 'Freeze',
    noun: 'freeze',
    confirmed: 'The account is frozen.',
    from: ['active', 'frozen'],
    danger: true,
    lead: 'Nothing happens until another approver confirms the request. A frozen account can only be read.',
    reasons: FREEZE_REASONS,
  },
  release: {
    ask: 'Release',
    noun: 'release',
    confirmed: 'The account is released.',
    from: ['frozen'],
    danger: false,
    lead: 'The account stays frozen until another approver has confirmed it.',
    reasons: RELEASE_REASONS,
  },
  close: {
    ask: 'Close',
    noun: 'closing',
    confirmed: 'The account is closed.',
    from: ['frozen'],
    danger: true,
    lead: 'The account stays frozen until another approver has confirmed it. A closed account cannot be opened again.',
    reasons: CLOSING_REASONS,
    writesOff: true,
  },
};

/** @param {string | null} reason */
export const reasonOf = (reason) =>
  reason === null
    ? ''
    : (FREEZE_REASONS[reason] ?? RELEASE_REASONS[reason] ?? CLOSING_REASONS[reason] ?? plain(reason));
/** @param {import('../types').Named | null} staff */
export const nameOf = (staff) =>
  staff === null ? 'the system' : staff.id === me()['staff-id'] ? 'you' : (staff.name ?? shortId(staff.id));
/** @param {AccountLine} account */
export const statusChip = ({ status }) =>
  chip(plain(status), status === 'frozen' ? 'bad' : status === 'active' ? 'good' : '');
