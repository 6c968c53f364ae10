import { call } from '../shell/api.js';
import { me } from '../session/session.js';

/**
 * @typedef {import('../types').Case} Case
 * @typedef {import('../types').Hit} Hit
 * @typedef {{ verdict: 'false-positive' | 'true-match', reason: string, note?: string | null }} Given
 */

/**
 * Sends a verdict and shows it.
 * @param {{ id: string, opened: Case }} parts @param {'holder' | 'representative'} person
 * @param {Hit} hit @param {object} body
 */
export async function sendVerdict({ id, opened }, person, hit, body) {
  const given = /** @type {Given} */ (body);
  await call('POST', `/staff/v1/account-requests/${id}/verdicts`, { body });
  showVerdict(opened, person, hit, given);
}

/**
 * Adds a verdict that was just sent to the case, before the case is read again.
 * @param {Case} opened @param {'holder' | 'representative'} person @param {Hit} hit
 * @param {Given} given
 */
function showVerdict(opened, person, hit, { verdict, reason, note = null }) {
  const staff = { id: me()['staff-id'], name: me().name };
  const at = new Date().toISOString();
  const hits = opened.screening.filter((one) => one.person === person).flatMap((one) => one.hits);
  for (const one of hits)
    if (one.list === hit.list && one['entry-id'] === hit['entry-id'])
      one.verdict = { verdict, reason, note, staff, at };
}
