/** A place in a JSON document, such as `data.rates[0].bid`, split into its steps. */
export type JsonPath = readonly string[];

/** Splits a configured path. An empty path means the document itself. */
export const parseJsonPath = (text: string): JsonPath => text.split(/[.[\]]+/).filter((part) => part !== '');

/** The value at the path, or undefined. Reads only own fields, so that `constructor` finds nothing. */
export function atPath(document: unknown, path: JsonPath): unknown {
  let value = document;
  for (const member of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}
