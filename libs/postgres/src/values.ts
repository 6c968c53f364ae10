import type { CustomTypesConfig } from 'pg';

const INT8 = 20;

/**
 * A count or a revision as a number, as SQLite gives it. What is no longer exact is an error, never a rounded number.
 */
function exact(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError('a column contains an integer that does not fit a JavaScript number');
  return value;
}

/** The driver's own readings of columns but for integers of eight bytes. */
export const readings = (types: CustomTypesConfig): CustomTypesConfig => ({
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? exact
      : types.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
});

/** PostgreSQL's text has no character of code 0; a caller's text may have it, and must not stop a reader of the log. */
export const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
