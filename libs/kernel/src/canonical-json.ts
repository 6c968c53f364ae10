import { refuse } from './refusal';

/** The same limit as for request bodies. */
export const CANONICAL_JSON_MAX_DEPTH = 32;

/**
 * Serializes a JSON value in one canonical way, for fingerprints: fields sorted by UTF-16 code units, no spaces,
 * numbers and strings as in ECMAScript (RFC 8785). Undefined fields are omitted. Refuses `invalid-format` beyond 32
 * levels; throws a TypeError for values that JSON cannot represent (bigint, NaN, Date, a class instance).
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError('canonical JSON cannot contain a number that is not finite');
      return JSON.stringify(value);
    case 'object':
      return writeContainer(value, depth + 1);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      break;
  }
  throw new TypeError(`canonical JSON cannot contain a ${typeof value}`);
}

function writeContainer(value: object, depth: number): string {
  if (depth > CANONICAL_JSON_MAX_DEPTH) {
    return refuse('invalid-format', `JSON may be nested at most ${CANONICAL_JSON_MAX_DEPTH} levels deep`);
  }
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, depth)).join(',')}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('canonical JSON can contain only plain objects');
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${write(member, depth)}`);
  return `{${members.join(',')}}`;
}
