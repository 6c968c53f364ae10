import { Kysely, SqliteDialect } from 'kysely';
import type { CheckpointRole } from '../database';
import { connectionPragmas, openDatabase } from '../database';
import { readModelDatabase } from './read-model-database';
import { threadedDialect } from './read-model-driver';
import { startWriterThread } from '../writer-thread';

/**
 * Opens read models in one SQLite file. They can be rebuilt from the log, so writes do not wait for the disk. With
 * `thread`, rows are written in a separate thread, for processes with other work to do; `inline` is for tools and
 * tests.
 */
export function openSqliteReadModels<Schema>(
  file: string,
  durability: 'normal' | 'off' = 'normal',
  writes: 'thread' | 'inline' = 'inline',
  role: CheckpointRole = 'checkpoints',
): Kysely<Schema> {
  // If a thread writes, only that thread checkpoints.
  const db = openDatabase(file, '', { durability, checkpoints: writes === 'thread' ? 'never' : role });
  if (writes === 'inline')
    return new Kysely<Schema>({ dialect: new SqliteDialect({ database: readModelDatabase(db) }) });
  return new Kysely<Schema>({
    dialect: threadedDialect(db, startWriterThread({ file, pragmas: connectionPragmas(durability), apart: true })),
  });
}
