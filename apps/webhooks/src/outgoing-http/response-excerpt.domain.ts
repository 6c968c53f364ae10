/** Replaces personal data that a receiver repeated in its response. */
const REMOVED = '[removed]';
/** The start of a personal text that is shorter than this tells nothing about a person. */
const TELLING = 2;

/**
 * Removes personal data and NUL characters from the start of a response. PostgreSQL cannot store NUL in a text.
 * Personal data is also found in JSON with any escapes, in JSON within JSON, and where the end of the excerpt cuts it.
 * A response with personal data is returned without escapes.
 */
export function withoutPersonal(excerpt: string, personal: readonly string[]): string {
  const text = withoutNul(excerpt);
  const read = withoutNul(unescaped(withoutCutCharacter(text)));
  const hidden = personal
    .filter((one) => one !== '')
    .flatMap((one) => placesOf(unescaped(one), read))
    .sort(([a], [b]) => a - b);
  if (hidden.length === 0) return text;
  let [kept, end] = ['', 0];
  for (const [from, to] of hidden) {
    if (from >= end) kept += read.slice(end, from) + REMOVED;
    end = Math.max(end, to);
  }
  return kept + read.slice(end);
}

const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** The excerpt ends after a number of bytes, which may be within a character or an escape. */
function withoutCutCharacter(text: string): string {
  if (text.endsWith('\ufffd')) return text.slice(0, -1);
  const code = /u[0-9a-f]{0,3}$/i.exec(text.slice(-4))?.[0] ?? '';
  const end = text.length - code.length;
  let from = end;
  while (from > 0 && text[from - 1] === '\\') from -= 1;
  return from < end ? text.slice(0, from) : text;
}

/**
 * Both patterns match any run of backslashes from its first one, so that each run is read once. A pattern that can fail
 * after a run is tried again from each backslash of it, which takes milliseconds for a response of backslashes.
 */
const unescaped = (text: string): string =>
  text
    .replace(/\\+(?:u([0-9a-f]{4}))?/gi, (run, hex?: string) =>
      hex === undefined ? run : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replace(/\\+(["/]?)/g, (_, escaped: string) => escaped || '\\');

/** Where a text has a personal one, and where it ends with the start of one. */
function placesOf(personal: string, text: string): (readonly [from: number, to: number])[] {
  const places: (readonly [number, number])[] = [];
  for (let at = text.indexOf(personal); at >= 0; at = text.indexOf(personal, at + 1))
    places.push([at, at + personal.length]);
  for (let length = Math.min(personal.length - 1, text.length); length >= TELLING; length -= 1)
    if (text.endsWith(personal.slice(0, length))) return [...places, [text.length - length, text.length]];
  return places;
}
