import type { SqliteDatabase } from './database';
import { connectionPragmas, sizeLimit } from './database';
import type { Row } from './log/event-table';
import { stepsOf } from './log/event-table';
import type { Step } from './transactions';
import { transactions } from './transactions';
import type { Written } from './writer-thread';
import { startWriterThread } from './writer-thread';

/** Puts groups of rows into the log, one group at a time. */
export interface LogWriter {
  /** Calls `written` once, perhaps before it returns. `also` goes into the same transaction. */
  write(rows: readonly Row[], written: Written, also?: readonly Step[]): void;
  close(): Promise<void>;
}

/** Writes over the connection that the log is read by, within the call. */
export function inlineWriter(db: SqliteDatabase): LogWriter {
  const carryOut = transactions(db, false);
  return {
    write: (rows, written, also = []) => written(carryOut([...stepsOf(rows), ...also])),
    close: async () => undefined,
  };
}

/** Writes in a thread; `db` is another connection to the same file. */
export function threadedWriter(
  file: string,
  durability: 'full' | 'off',
  db: SqliteDatabase,
  maxBytes: number | undefined,
): LogWriter {
  const limits = maxBytes === undefined ? [] : [sizeLimit(db, maxBytes)];
  const thread = startWriterThread({
    file,
    pragmas: [...connectionPragmas(durability, 'checkpoints'), ...limits],
    apart: false,
  });
  return {
    write: (rows, written, also = []) => thread.write([...stepsOf(rows), ...also], written),
    close: () => thread.close(),
  };
}
