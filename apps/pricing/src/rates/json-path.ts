/** A place in a JSON document: `data.rates[0].bid`. */
export type JsonPath = readonly string[];

/** Splits a configured path; an empty one is the document itself. */
export const parseJsonPath = (text: string): JsonPath => text.split(/[.[\]]+/).filter((part) => part !== '');

/** What stands at the path, or undefined. Own members alone, so that `constructor` finds nothing. */
export function atPath(document: unknown, path: JsonPath): unknown {
  let value = document;
  for (const member of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}
