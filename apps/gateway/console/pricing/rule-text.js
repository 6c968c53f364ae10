/** The text for a member that a row does not have, if it is not "any". @type {Record<string, string>} */
const UNNAMED = {
  side: 'BRL amount',
  'ceiling-usd': 'none',
  'unusable-deviation-bps': 'none',
  'reference-stale-after-seconds': '518400',
};

/**
 * The display text of a rule's member. A member that is absent or null does not limit the rule, or has
 * the default of pricing.
 * @param {string} name @param {unknown} value
 */
export function ruleText(name, value) {
  if (value === null || value === undefined) return UNNAMED[name] ?? 'any';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}
