import { shownName } from '../validation/member-name';

/** The bytes that JSON consists of. */
export const [BRACE, BRACKET, COMMA, QUOTE, COLON] = [123, 91, 44, 34, 58];
const [END_BRACE, END_BRACKET, BACKSLASH, SPACE, TAB, LINE_FEED, RETURN] = [125, 93, 92, 32, 9, 10, 13];
/** A string longer than this is searched for its end, not read byte by byte: an upload is almost all one string. */
const LONG_TEXT = 256;

const below = (path: string, name: string): string => (path === '' ? shownName(name) : `${path}.${shownName(name)}`);

interface Level {
  readonly path: string;
  /** Null for a list. */
  readonly names: Set<string> | null;
  /** The path of the field or element that is being read. */
  at: string;
  index: number;
}

/**
 * The dotted paths of the fields that well-formed JSON repeats. Slow, so it is called only for bodies that repeat one.
 */
export function repeatedMembers(json: Buffer): string[] {
  const repeated = new Set<string>();
  const levels: Level[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    const level = levels.at(-1);
    if (byte === BRACE || byte === BRACKET) open(levels, byte === BRACE);
    else if (byte === END_BRACE || byte === END_BRACKET) levels.pop();
    else if (byte === COMMA && level) nextElement(level);
    else if (byte === QUOTE) {
      const start = at;
      at = endOfText(json, start);
      if (!level?.names || !isName(json, at)) continue;
      const name = JSON.parse(json.toString('utf8', start, at + 1)) as string;
      level.at = below(level.path, name);
      if (level.names.has(name)) repeated.add(level.at);
      level.names.add(name);
    }
  }
  return [...repeated];
}

/** The index of the closing quote of the string that starts at `start`. */
export function endOfText(json: Buffer, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
    else if (at - start === LONG_TEXT) {
      const end = json.indexOf(QUOTE, at);
      if (end !== -1 && json[end - 1] !== BACKSLASH) return end;
    }
  }
  return json.length;
}

/** Whether a colon follows the string that ends at `end`. */
function isName(json: Buffer, end: number): boolean {
  let at = end + 1;
  while (json[at] === SPACE || json[at] === TAB || json[at] === LINE_FEED || json[at] === RETURN) at += 1;
  return json[at] === COLON;
}

function open(levels: Level[], isObject: boolean): void {
  const path = levels.at(-1)?.at ?? '';
  levels.push({ path, names: isObject ? new Set() : null, at: isObject ? path : `${path}[0]`, index: 0 });
}

function nextElement(level: Level): void {
  if (level.names) return;
  level.index += 1;
  level.at = `${level.path}[${level.index}]`;
}

/**
 * The dotted paths of fields that would poison a prototype if they were copied by assignment: `__proto__`, and a
 * `constructor` with a `prototype`. The caller limits the nesting of the value.
 */
export function poisonousMembers(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, at) => poisonousMembers(item, `${path}[${at}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const own = below(path, name);
    return isPoisonous(name, item) ? [own] : poisonousMembers(item, own);
  });
}

const isPoisonous = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'));
