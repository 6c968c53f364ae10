import { Kysely, SqliteDialect } from 'kysely';
import { openDatabase } from './database';
import { viewDatabase } from './view-database';

/** Lists and look-ups in one SQLite file. Rebuilt from the log at will, so it does not wait for the disk. */
export function openSqliteViews<Schema>(file: string, durability: 'normal' | 'off' = 'normal'): Kysely<Schema> {
  const db = openDatabase(file, '', { durability });
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database: viewDatabase(db) }) });
}
