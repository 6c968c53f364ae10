import type { CustomTypesConfig } from 'pg';

const INT8 = 20;

/** Parses a count or a revision to a number, as SQLite returns it. Throws if it is not exactly representable. */
function exact(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError('a column contains an integer that does not fit a JavaScript number');
  return value;
}

/** The driver's column parsers, except for eight-byte integers. */
export const readings = (types: CustomTypesConfig): CustomTypesConfig => ({
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary'
      ? exact
      : types.getTypeParser(oid, format)) as CustomTypesConfig['getTypeParser'],
});

/** PostgreSQL cannot store the character with code 0, which must not stop a reader of the log. */
export const storable = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
