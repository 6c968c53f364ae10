import { shownName } from '../validation/field-name';

const SPACES: ReadonlySet<string | undefined> = new Set(' \t\n\r');

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
export function repeatedFields(json: string): string[] {
  const repeated = new Set<string>();
  const levels: Level[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const token = json[at];
    const level = levels.at(-1);
    if (token === '{' || token === '[') open(levels, token);
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && level) nextElement(level);
    else if (token === '"') {
      const start = at;
      at = endOfText(json, start);
      if (!level?.names || !isName(json, at)) continue;
      const name = JSON.parse(json.slice(start, at + 1)) as string;
      level.at = below(level.path, name);
      if (level.names.has(name)) repeated.add(level.at);
      level.names.add(name);
    }
  }
  return [...repeated];
}

/**
 * The index of the closing quote of the string that starts at `start`. A regular expression would need memory for each
 * escape, of which an upload may have millions.
 */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** Whether a colon follows the string that ends at `end`. */
function isName(json: string, end: number): boolean {
  let at = end + 1;
  while (SPACES.has(json[at])) at += 1;
  return json[at] === ':';
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
export function poisonousFields(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, at) => poisonousFields(item, `${path}[${at}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const own = below(path, name);
    return isPoisonous(name, item) ? [own] : poisonousFields(item, own);
  });
}

const isPoisonous = (name: string, value: unknown): boolean =>
  name === '__proto__' ||
  (name === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'));
