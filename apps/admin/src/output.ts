import type { Print } from './verb';

/** Prints a record as one `name  value` per line without null fields, or as JSON. */
export function show(print: Print, record: object, json = false): void {
  if (json) return print(JSON.stringify(record, null, 2));
  const fields = Object.entries(record).filter(([, value]) => value !== null);
  const width = Math.max(...fields.map(([name]) => name.length));
  for (const [name, value] of fields) print(`${name.padEnd(width)}  ${textOf(value)}`);
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') || 'none' : String(value));
