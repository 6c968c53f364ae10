/**
 * @typedef {{ 'valid-from'?: string | null, 'valid-to'?: string | null }} Validity
 * @typedef {'In force' | 'Not enabled' | 'Later' | 'Ended' | 'Superseded'} Standing
 */

/** @param {Validity} dated @param {number} now @returns {Standing} */
const byDates = ({ 'valid-from': from, 'valid-to': to }, now) => {
  if (from && Date.parse(from) > now) return 'Later';
  return to && Date.parse(to) <= now ? 'Ended' : 'In force';
};

/**
 * Whether a version of the rules prices quotes. Pricing uses one version; outside its validity every quote is refused.
 * @param {Validity} version @param {boolean} isUsed whether pricing uses this version @param {number} now
 * @returns {Standing}
 */
export const versionStanding = (version, isUsed, now) => (isUsed ? byDates(version, now) : 'Superseded');

/**
 * Whether a row prices quotes: only in a version that does. A row without a start is defined but not enabled; in a
 * version, no start means any time.
 * @param {Validity} row @param {Standing} version the standing of its version @param {number} now
 * @returns {Standing}
 */
export function rowStanding(row, version, now) {
  if (!row['valid-from']) return 'Not enabled';
  const own = byDates(row, now);
  return own === 'In force' ? version : own;
}
