import { Kysely, SqliteDialect } from 'kysely';
import { lruCache } from '@ponte/kernel';
import type { SqliteDatabase } from './database';

/** Number of statements cached per file. A running system has few texts; ad-hoc filters a few hundred. */
const KEPT = 500;

/** The members of the driver's statement that are used. Its own type requires the parameter types. */
export interface Prepared {
  readonly reader: boolean;
  all(...parameters: readonly unknown[]): unknown[];
  run(...parameters: readonly unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
}

/** Prepares each text once and caches the result of `made`. */
export function preparing<T extends object>(
  db: SqliteDatabase,
  made: (prepared: Prepared, sql: string) => T,
): (sql: string) => T {
  const kept = lruCache<string, T>(KEPT);
  return (sql) => {
    const known = kept.get(sql);
    if (known) return known;
    const fresh = made(db.prepare(sql), sql);
    kept.set(sql, fresh);
    return fresh;
  };
}

/** Kysely over a file. Each statement is a transaction, unless it is part of one of Kysely's. */
export const kyselyOver = (db: SqliteDatabase): Kysely<unknown> =>
  new Kysely<unknown>({
    dialect: new SqliteDialect({
      database: { prepare: preparing(db, (prepared) => prepared), close: () => void db.close() },
    }),
  });
