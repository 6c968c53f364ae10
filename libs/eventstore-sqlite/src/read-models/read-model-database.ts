import type { SqliteDatabase as KyselyDatabase, SqliteStatement } from 'kysely';
import type { SqliteDatabase } from '../database';
import type { Prepared } from '../prepared';
import { preparing } from '../prepared';

/**
 * Takes the write lock at once. A transaction that reads first fails in the middle if another connection, such as an
 * operator's, has written meanwhile. The driver then leaves the failed statement open, which keeps this connection on
 * its old snapshot, and every later write fails too.
 */
const BEGIN = 'BEGIN IMMEDIATE';
/** Used while another file is attached whose own writer is active: BEGIN IMMEDIATE would lock that file too. */
const BEGIN_CONCURRENT_WRITE = 'BEGIN DEFERRED';

/**
 * The statements that are grouped. Any other change, such as creating a table or a transaction of Kysely, runs alone.
 */
export const WRITE = /^(insert|update|delete) /i;

/**
 * The database interface for Kysely. Each statement is prepared once, and all writes of one turn of the event loop are
 * one transaction. Readers use the same connection and see a write at once. A crash may lose the writes of the current
 * turn, together with every checkpoint saved after them in this file.
 */
export function readModelDatabase(db: SqliteDatabase): KyselyDatabase {
  const grouping = groupWrites(db);
  const beginning = beginningOf(db);
  return {
    prepare: preparing(db, (prepared, sql): SqliteStatement => {
      const statementOf = sql.toLowerCase() === 'begin' ? beginning : () => prepared;
      const before = prepared.reader ? grouping.assertSound : WRITE.test(sql) ? grouping.begin : grouping.end;
      return {
        reader: prepared.reader,
        all: (parameters) => {
          before();
          return statementOf().all(...parameters);
        },
        run: (parameters) => {
          before();
          return statementOf().run(...parameters);
        },
        iterate: (parameters) => {
          before();
          return statementOf().iterate(...parameters);
        },
      };
    }),
    close() {
      try {
        grouping.end();
      } finally {
        db.close();
      }
    },
  };
}

/** The statement that Kysely's `begin` currently means. */
export function beginningOf(db: SqliteDatabase): () => Prepared {
  const [databases, immediate, concurrent] = [
    db.prepare('PRAGMA database_list'),
    db.prepare(BEGIN),
    db.prepare(BEGIN_CONCURRENT_WRITE),
  ];
  return () => (databases.all().length > 1 ? concurrent : immediate);
}

function groupWrites(db: SqliteDatabase) {
  const beginning = db.prepare(BEGIN);
  const commit = db.prepare('COMMIT');
  let open = false;
  let failure: Error | undefined;

  /** Throws after a failed commit: writes that were already answered are lost, and only the log can restore them. */
  const assertSound = (): void => {
    if (failure)
      throw new Error(
        'the read models could not be written; they will continue from their checkpoint at the next start',
        {
          cause: failure,
        },
      );
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
        // The next caller gets the error from assertSound.
      }
    });
  };
  return { begin, end, assertSound };
}
