import { LRUCache } from 'lru-cache';
import type { SqliteDatabase as KyselyDatabase, SqliteStatement } from 'kysely';
import type { SqliteDatabase } from './database';

/** Statements kept ready per file; the texts of a running system are few, those of ad-hoc filters a few hundred. */
const KEPT = 500;

/** What is grouped. Whatever else changes something, such as a table made or a transaction of Kysely's own, stands alone. */
const WRITE = /^(insert|update|delete) /i;

/**
 * What Kysely asks of a database, with each statement prepared once, and with the writes of one turn of the event loop in one
 * transaction. Readers use the same connection and see a write at once; a crash may lose the writes of that turn, together with
 * every checkpoint that was kept in this file after them.
 */
export function viewDatabase(db: SqliteDatabase): KyselyDatabase {
  const kept = new LRUCache<string, SqliteStatement>({ max: KEPT });
  const grouping = groupWrites(db);
  return {
    prepare(sql) {
      const known = kept.get(sql);
      if (known) return known;
      const statement = db.prepare(sql);
      const before = statement.reader ? grouping.assertSound : WRITE.test(sql) ? grouping.begin : grouping.end;
      const made: SqliteStatement = {
        reader: statement.reader,
        all: (parameters) => { before(); return statement.all(...parameters); },
        run: (parameters) => { before(); return statement.run(...parameters); },
        iterate: (parameters) => { before(); return statement.iterate(...parameters); },
      };
      kept.set(sql, made);
      return made;
    },
    close() {
      try {
        grouping.end();
      } finally {
        db.close();
      }
    },
  };
}

function groupWrites(db: SqliteDatabase) {
  const beginning = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  let open = false;
  let failure: Error | undefined;

  /** What was answered in the lost turn is missing from here on; only the log can tell what it was. */
  const assertSound = (): void => {
    if (failure) throw new Error('the views could not be written; they go on from their checkpoint at the next start', { cause: failure });
  };
  const end = (): void => {
    assertSound();
    if (!open) return;
    open = false;
    try {
      commit.run();
    } catch (error) {
      failure = error as Error;
      if (db.inTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
  const begin = (): void => {
    assertSound();
    if (open || db.inTransaction) return;
    beginning.run();
    open = true;
    setImmediate(() => {
      try {
        end();
      } catch {
        // Whoever comes next is told by assertSound.
      }
    });
  };
  return { begin, end, assertSound };
}
