import type { SqliteDatabase } from './database';
import { connectionPragmas, sizeLimit } from './database';
import type { Row } from './event-table';
import { stepsOf } from './event-table';
import { transactions } from './transactions';
import type { Written } from './writer-thread';
import { startWriterThread } from './writer-thread';

/** Puts groups of rows into the log, one group at a time. */
export interface LogWriter {
  /** Calls `written` once, perhaps before it returns. */
  write(rows: readonly Row[], written: Written): void;
  close(): Promise<void>;
}

/** Writes over the connection that the log is read by, within the call. */
export function inlineWriter(db: SqliteDatabase): LogWriter {
  const carryOut = transactions(db, false);
  return {
    write: (rows, written) => written(carryOut(stepsOf(rows))),
    close: async () => undefined,
  };
}

/**
 * Groups of so many rows are not handed over: a row that is costs as much on this side as one that is written, and about as much again on the
 * other, while what it saves, the wait for the disk, is one for the whole group.
 */
const LARGE_GROUP = 32;

/** Writes in a thread, but for large groups; `db` is another connection to the same file. One group at a time is under way. */
export function threadedWriter(file: string, durability: 'full' | 'off', db: SqliteDatabase, maxBytes: number | undefined): LogWriter {
  const limits = maxBytes === undefined ? [] : [sizeLimit(db, maxBytes)];
  for (const limit of limits) db.prepare(limit).get();
  const thread = startWriterThread({ file, pragmas: [...connectionPragmas(durability), ...limits], apart: false });
  const carryOut = transactions(db, false);
  return {
    write: (rows, written) => (rows.length < LARGE_GROUP ? thread.write(stepsOf(rows), written) : written(carryOut(stepsOf(rows)))),
    close: () => thread.close(),
  };
}
