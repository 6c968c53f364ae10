/**
 * The parts of our matcher's description of a hit, for showing person and entry side by side.
 * @typedef {object} Match
 * @property {string} searched the name of the person
 * @property {string} kind name, alias or weak alias of the entry
 * @property {string} listed the entry's name
 * @property {string} likeness such as `96 %`
 * @property {{ searched: string, listed: string, likeness: string }[]} words
 * @property {string} births of the entry
 * @property {string} birthVerdict
 * @property {string} nationality of the entry; empty when the list has none
 */

const LINE =
  /^"(.*)" is like the (name|alias|weak alias) "(.*)": (\d+ %) \((.*?)\); birth (.*?): (same-day|same-year|near|differs|unknown) \([+-]?\d+\)(?:; weak alias \([+-]?\d+\))?(?:; nationality (.*?)(?: \(\+\d+\))?)?$/s;
const PAIR = /^(.*)~(.*) (\d+ %)$/s;

/**
 * Parses a description. Returns null for the text of another matcher, which is shown unchanged.
 * @param {string} text @returns {Match | null}
 */
export function readMatch(text) {
  const parts = LINE.exec(text);
  if (!parts) return null;
  const [
    ,
    searched = '',
    kind = '',
    listed = '',
    likeness = '',
    pairs = '',
    births = '',
    birthVerdict = '',
    nationality = '',
  ] = parts;
  const words = pairs.split(', ').flatMap((pair) => {
    const found = PAIR.exec(pair);
    return found ? [{ searched: found[1] ?? '', listed: found[2] ?? '', likeness: found[3] ?? '' }] : [];
  });
  return {
    searched,
    kind,
    listed,
    likeness,
    words,
    births: births === 'not listed' ? '' : births,
    birthVerdict,
    nationality,
  };
}

/** @type {Record<string, { label: string, tone: 'good' | 'warn' | 'bad' | '' }>} */
export const BIRTH_VERDICTS = {
  'same-day': { label: 'same day', tone: 'bad' },
  'same-year': { label: 'same year', tone: 'bad' },
  near: { label: 'close', tone: 'warn' },
  differs: { label: 'differs', tone: 'good' },
  unknown: { label: 'not known', tone: '' },
};
