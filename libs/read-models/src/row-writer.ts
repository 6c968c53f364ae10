import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Column, ReadModelTables } from './columns';

/**
 * Numbers of rows per statement, largest first. Many rows need few calls, and the statement of each size is built once.
 */
const ROWS_AT_ONCE = [64, 8, 1] as const;

/** The connection of a statement: the database, or a transaction in it. */
export type Connection = Pick<Kysely<unknown>, 'executeQuery'>;

/**
 * Inserts rows, given as the values of `columns`, or replaces rows with the same `key` for which `newer` holds. Returns
 * the number of changed rows. The rows of one call must have different keys. Building a statement costs more than
 * running it, so each is built once; `through` is another connection to the same tables, such as a transaction.
 */
export function rowWriter(
  readModels: Kysely<unknown>,
  table: string,
  columns: readonly string[],
  newer: RawBuilder<boolean>,
  key: string | readonly string[] = 'id',
): (rows: readonly (readonly unknown[])[], through?: Connection) => Promise<bigint> {
  const db = readModels as Kysely<ReadModelTables>;
  const of = builtOnce((count) => compiled(db, table, columns, count, newer, typeof key === 'string' ? [key] : key));
  return (rows, through = readModels) => inBatches(rows, of, through);
}

/** Deletes the rows with these values of one column and returns their number. Otherwise like {@link rowWriter}. */
export function rowRemover(
  readModels: Kysely<unknown>,
  table: string,
  key = 'id',
): (keys: readonly unknown[], through?: Connection) => Promise<bigint> {
  const db = readModels as Kysely<ReadModelTables>;
  const of = builtOnce((count) => db.deleteFrom(table).where(key, 'in', Array<string>(count).fill('')).compile());
  return (keys, through = readModels) =>
    inBatches(
      keys.map((one) => [one]),
      of,
      through,
    );
}

async function inBatches(
  rows: readonly (readonly unknown[])[],
  of: (count: number) => CompiledQuery,
  through: Connection,
): Promise<bigint> {
  let changed = 0n;
  for (let at = 0; at < rows.length;) {
    const count = ROWS_AT_ONCE.find((size) => size <= rows.length - at) ?? 1;
    const { query, queryId, sql } = of(count);
    // For a single row, the most common case, the values are already the parameters.
    const parameters = count === 1 ? (rows[at] as readonly unknown[]) : rows.slice(at, at + count).flat();
    const { numAffectedRows } = await through.executeQuery({ query, queryId, sql, parameters });
    changed += numAffectedRows ?? 0n;
    at += count;
  }
  return changed;
}

function builtOnce(build: (count: number) => CompiledQuery): (count: number) => CompiledQuery {
  const built = new Map<number, CompiledQuery>();
  return (count) => {
    const known = built.get(count) ?? build(count);
    built.set(count, known);
    return known;
  };
}

function compiled(
  db: Kysely<ReadModelTables>,
  table: string,
  columns: readonly string[],
  count: number,
  newer: RawBuilder<boolean>,
  keys: readonly string[],
): CompiledQuery {
  const row = Object.fromEntries(columns.map((name) => [name, '']));
  return db
    .insertInto(table)
    .values(Array(count).fill(row))
    .onConflict((conflict) =>
      conflict
        .columns(keys as string[])
        .doUpdateSet(({ ref }) => Object.fromEntries(columns.map((name) => [name, ref(`excluded.${name}`)])))
        .where(() => newer),
    )
    .compile();
}

/** The form of a value in SQLite and PostgreSQL. A sum is text, so that it keeps all of its digits. */
export function toStored(value: unknown, column: Column): unknown {
  switch (column) {
    case 'json':
      return JSON.stringify(value ?? null);
    case 'boolean':
      return value ? 1 : 0;
    case 'sum':
      return String(value);
    case 'text':
    case 'text?':
    case 'integer':
    case 'integer?':
      return value ?? null;
  }
}

/** The names of a table's columns with their types. */
type ColumnList = readonly (readonly [name: string, column: Column])[];

/** The stored values of a row, in the order of the columns. */
export const storedValues = (row: object, columns: ColumnList): unknown[] =>
  columns.map(([name, column]) => toStored((row as Record<string, unknown>)[name], column));

/** The row of stored columns: the inverse of {@link toStored}. */
export function fromStored(stored: Record<string, unknown>, columns: ColumnList): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, column] of columns) row[name] = fromColumn(stored[name], column);
  return row;
}

function fromColumn(value: unknown, column: Column): unknown {
  switch (column) {
    case 'json':
      return JSON.parse(String(value)) as unknown;
    case 'boolean':
      return Number(value) === 1;
    case 'sum':
      return BigInt(String(value));
    // PostgreSQL's driver returns a bigint as text.
    case 'integer':
    case 'integer?':
      return value === null ? null : Number(value);
    case 'text':
    case 'text?':
      return value;
  }
}
