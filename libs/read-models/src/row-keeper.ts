import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { rowRemover, rowWriter } from './row-writer';

/** What a run of the log makes of rows, by id; null where the row goes. */
export type LatestRows<Row> = ReadonlyMap<string, Row | null>;

/** Writes and deletes rows, many at once. A row never goes back to a lower revision. */
export function rowKeeper<Row extends { readonly id: string; readonly revision: number }>(
  db: Kysely<unknown>,
  table: string,
  columns: readonly (keyof Row & string)[],
): (latest: LatestRows<Row>) => Promise<void> {
  const put = rowWriter(db, table, columns, sql<boolean>`${sql.ref(`${table}.revision`)} < excluded.revision`);
  const remove = rowRemover(db, table);
  return async (latest) => {
    const rows = [...latest.values()].filter((row) => row !== null);
    await put(rows.map((row) => columns.map((name) => row[name])));
    await remove([...latest].filter(([, row]) => row === null).map(([id]) => id));
  };
}
