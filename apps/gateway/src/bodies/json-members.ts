import { shownName } from '../validation/member-name';

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
 * Matches strings, with the colon after a field's name, and the punctuation of objects and lists. A string is runs
 * between escapes: an alternative per character would need memory for each character of a file of megabytes.
 */
const TOKEN = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\],]/g;

/**
 * The dotted paths of the fields that well-formed JSON repeats. Slow, so it is called only for bodies that repeat one.
 */
export function repeatedMembers(json: string): string[] {
  const repeated = new Set<string>();
  const levels: Level[] = [];
  for (const [token, text, colon] of json.matchAll(TOKEN)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') open(levels, token);
    else if (token === '}' || token === ']') levels.pop();
    else if (!level) continue;
    else if (token === ',') nextElement(level);
    else if (text !== undefined && colon !== undefined && level.names) {
      const name = JSON.parse(text) as string;
      level.at = below(level.path, name);
      if (level.names.has(name)) repeated.add(level.at);
      level.names.add(name);
    }
  }
  return [...repeated];
}

function open(levels: Level[], bracket: '{' | '['): void {
  const path = levels.at(-1)?.at ?? '';
  levels.push({ path, names: bracket === '{' ? new Set() : null, at: bracket === '{' ? path : `${path}[0]`, index: 0 });
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
