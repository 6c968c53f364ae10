import { Kysely, SqliteDialect } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { SqliteDatabase } from './database';

/** Statements kept ready per file; the texts of a running system are few, those of ad-hoc filters a few hundred. */
const KEPT = 500;

/** As much of the driver's statement as is used; its own type knows the parameters, which no one knows here. */
export interface Prepared {
  readonly reader: boolean;
  all(...parameters: readonly unknown[]): unknown[];
  run(...parameters: readonly unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
}

/** Prepares each text once, and keeps beside the statement what `made` makes of it. */
export function preparing<T extends object>(
  db: SqliteDatabase,
  made: (prepared: Prepared, sql: string) => T,
): (sql: string) => T {
  const kept = new LRUCache<string, T>({ max: KEPT });
  return (sql) => {
    const known = kept.get(sql);
    if (known) return known;
    const fresh = made(db.prepare(sql), sql);
    kept.set(sql, fresh);
    return fresh;
  };
}

/** Kysely over a file. Each statement is a transaction, unless it stands in one of Kysely's own. */
export const kyselyOver = (db: SqliteDatabase): Kysely<unknown> =>
  new Kysely<unknown>({
    dialect: new SqliteDialect({
      database: { prepare: preparing(db, (prepared) => prepared), close: () => void db.close() },
    }),
  });
