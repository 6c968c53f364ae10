/** What a row that does not name a member means by it, where that is not "any". @type {Record<string, string>} */
const UNNAMED = { side: 'BRL amount', 'ceiling-usd': 'none' };

/**
 * A member of a rule as people read it. A row may leave out or null what it is not limited to. @param {string} name
 * @param {unknown} value
 */
export function ruleText(name, value) {
  if (value === null || value === undefined) return UNNAMED[name] ?? 'any';
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
}
