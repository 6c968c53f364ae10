import { Kysely, SqliteDialect } from 'kysely';
import type { CheckpointRole } from '../database';
import { connectionPragmas, openDatabase } from '../database';
import { viewDatabase } from './view-database';
import { threadedDialect } from './view-driver';
import { startWriterThread } from '../writer-thread';

/**
 * Lists and look-ups in one SQLite file. Rebuilt from the log at will, so it does not wait for the disk. With `thread`,
 * rows are written in a thread of their own, for a process that has other things to do meanwhile; `inline` is for tools
 * and tests.
 */
export function openSqliteViews<Schema>(
  file: string,
  durability: 'normal' | 'off' = 'normal',
  writes: 'thread' | 'inline' = 'inline',
  role: CheckpointRole = 'checkpoints',
): Kysely<Schema> {
  // Beside a thread that writes, only the thread moves pages of the write-ahead log into the file.
  const db = openDatabase(file, '', { durability, checkpoints: writes === 'thread' ? 'never' : role });
  if (writes === 'inline') return new Kysely<Schema>({ dialect: new SqliteDialect({ database: viewDatabase(db) }) });
  return new Kysely<Schema>({
    dialect: threadedDialect(db, startWriterThread({ file, pragmas: connectionPragmas(durability), apart: true })),
  });
}
