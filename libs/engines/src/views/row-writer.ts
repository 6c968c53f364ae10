import type { CompiledQuery, Kysely, RawBuilder } from 'kysely';
import type { Views } from './columns';

/** Rows of one statement, largest first: what is many goes in by few calls, and of each size the statement is built once. */
const ROWS_AT_ONCE = [64, 8, 1] as const;

/**
 * Inserts rows given as the values of `columns`, or replaces what has the same `key` and for which `newer` holds; answers how many rows
 * it changed. The rows of one call have different keys. Building a statement costs more than running it, so each is built once.
 */
export function rowWriter(
  views: Kysely<unknown>, table: string, columns: readonly string[], newer: RawBuilder<boolean>, key = 'id',
): (rows: readonly (readonly unknown[])[]) => Promise<bigint> {
  const db = views as Kysely<Views>;
  const built = new Map<number, CompiledQuery>();
  const of = (count: number): CompiledQuery => {
    const known = built.get(count);
    if (known) return known;
    const made = compiled(db, table, columns, count, newer, key);
    built.set(count, made);
    return made;
  };
  return async (rows) => {
    let changed = 0n;
    for (let at = 0; at < rows.length;) {
      const count = ROWS_AT_ONCE.find((size) => size <= rows.length - at) ?? 1;
      const { numAffectedRows } = await db.executeQuery({ ...of(count), parameters: rows.slice(at, at + count).flat() });
      changed += numAffectedRows ?? 0n;
      at += count;
    }
    return changed;
  };
}

function compiled(db: Kysely<Views>, table: string, columns: readonly string[], count: number, newer: RawBuilder<boolean>, key: string): CompiledQuery {
  const row = Object.fromEntries(columns.map((name) => [name, '']));
  return db.insertInto(table).values(Array(count).fill(row))
    .onConflict((conflict) => conflict.column(key)
      .doUpdateSet(({ ref }) => Object.fromEntries(columns.map((name) => [name, ref(`excluded.${name}`)])))
      .where(() => newer))
    .compile();
}
