/** The value at a path such as `a.b.0.c`, own fields only; undefined if missing. The empty path is the document. */
export function fieldAt(document: unknown, path: string): unknown {
  if (path === '') return document;
  return path
    .split('.')
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, step)
          ? (value as Record<string, unknown>)[step]
          : undefined,
      document,
    );
}

const MAX_TEXT = 200;

/** A string, or a whole number as a string; undefined if it is neither, is empty or is too long. */
export function textAt(document: unknown, path: string): string | undefined {
  const value = fieldAt(document, path);
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= MAX_TEXT ? text : undefined;
}
