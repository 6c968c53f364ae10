import type { SqliteDatabase as KyselyDatabase, SqliteStatement } from 'kysely';
import type { SqliteDatabase } from '../database';
import type { Prepared } from '../prepared';
import { preparing } from '../prepared';

/**
 * At once for writing. A transaction that reads first and then meets what another connection wrote meanwhile, an
 * operator's say, is refused in its middle, and the driver leaves the refused statement open: it would hold this
 * connection to its old snapshot, and every later write would be refused too.
 */
const BEGIN = 'BEGIN IMMEDIATE';
/** While a file is attached, whose own writer goes on: an immediate beginning would lock that, too. */
const BEGIN_CONCURRENT_WRITE = 'BEGIN DEFERRED';

/**
 * What is grouped. Whatever else changes something, such as a table made or a transaction of Kysely's own, stands
 * alone.
 */
export const WRITE = /^(insert|update|delete) /i;

/**
 * What Kysely asks of a database, with each statement prepared once, and with the writes of one turn of the event loop
 * in one transaction. Readers use the same connection and see a write at once; a crash may lose the writes of that
 * turn, together with every checkpoint that was kept in this file after them.
 */
export function viewDatabase(db: SqliteDatabase): KyselyDatabase {
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

/** What Kysely's own `begin` stands for, at the moment. */
export function beginningOf(db: SqliteDatabase): () => Prepared {
  const [files, alone, beside] = [
    db.prepare('PRAGMA database_list'),
    db.prepare(BEGIN),
    db.prepare(BEGIN_CONCURRENT_WRITE),
  ];
  return () => (files.all().length > 1 ? beside : alone);
}

function groupWrites(db: SqliteDatabase) {
  const beginning = db.prepare(BEGIN);
  const commit = db.prepare('COMMIT');
  let open = false;
  let failure: Error | undefined;

  /** What was answered in the lost turn is missing from here on; only the log can tell what it was. */
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
