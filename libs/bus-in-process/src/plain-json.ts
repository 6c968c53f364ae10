const DEPTH = 32;

/** Throws a TypeError that names the field that JSON cannot represent. Absent and undefined fields are equivalent. */
export function assertPlainJson(value: unknown, path: string, depth = 0): void {
  if (depth > DEPTH) throw new TypeError(`${path} is nested too deeply`);
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) assertPlainJson(item, `${path}[${at}]`, depth + 1);
    return;
  }
  if (typeof value === 'object' && isPlain(value)) {
    for (const [name, member] of Object.entries(value)) assertPlainJson(member, `${path}.${name}`, depth + 1);
    return;
  }
  throw new TypeError(`${path} is not plain JSON`);
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};
