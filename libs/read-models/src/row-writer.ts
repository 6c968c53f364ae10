import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Views } from './columns';

/**
 * Rows of one statement, largest first: what is many goes in by few calls, and of each size the statement is built
 * once.
 */
const ROWS_AT_ONCE = [64, 8, 1] as const;

/** What a statement goes over: the views, or a transaction of theirs. */
export type Connection = Pick<Kysely<unknown>, 'executeQuery'>;

/**
 * Inserts rows given as the values of `columns`, or replaces what has the same `key` and for which `newer` holds;
 * answers how many rows it changed. The rows of one call have different keys. Building a statement costs more than
 * running it, so each is built once; `through` is another connection to the same tables, such as a transaction.
 */
export function rowWriter(
  views: Kysely<unknown>,
  table: string,
  columns: readonly string[],
  newer: RawBuilder<boolean>,
  key: string | readonly string[] = 'id',
): (rows: readonly (readonly unknown[])[], through?: Connection) => Promise<bigint> {
  const db = views as Kysely<Views>;
  const of = builtOnce((count) => compiled(db, table, columns, count, newer, typeof key === 'string' ? [key] : key));
  return (rows, through = views) => inPortions(rows, of, through);
}

/** Deletes the rows with these values of one column; answers how many there were. As {@link rowWriter}. */
export function rowRemover(
  views: Kysely<unknown>,
  table: string,
  key = 'id',
): (keys: readonly unknown[], through?: Connection) => Promise<bigint> {
  const db = views as Kysely<Views>;
  const of = builtOnce((count) => db.deleteFrom(table).where(key, 'in', Array<string>(count).fill('')).compile());
  return (keys, through = views) =>
    inPortions(
      keys.map((one) => [one]),
      of,
      through,
    );
}

async function inPortions(
  rows: readonly (readonly unknown[])[],
  of: (count: number) => CompiledQuery,
  through: Connection,
): Promise<bigint> {
  let changed = 0n;
  for (let at = 0; at < rows.length;) {
    const count = ROWS_AT_ONCE.find((size) => size <= rows.length - at) ?? 1;
    const { query, queryId, sql } = of(count);
    // A single row, as most are, is its parameters already.
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
  db: Kysely<Views>,
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
