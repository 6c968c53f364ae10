/** A statement, by its place among those that were prepared, and its parameters. */
export type Step = readonly [statement: number, parameters: readonly unknown[]];

/** Why a transaction was not carried out. Plain, so that it passes between threads. */
export interface WriteFailure {
  readonly message: string;
  /** SQLite's own name of it; empty when it was not SQLite that failed. */
  readonly code: string;
  /** It was the commit that failed: the rows may have reached the disk all the same. */
  readonly committing: boolean;
  /** What was written could not be undone either. */
  readonly stuck: boolean;
}

/** As much of the driver's connection as writing takes. */
export interface WritingConnection {
  readonly inTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): { run(...parameters: unknown[]): unknown };
}

/**
 * Carries out lists of steps, each as one transaction. Answers null when it is on the disk, or as far there as the connection was told to wait.
 *
 * A thread runs this from its text, see `writer-program.ts`: nothing outside of the function may be named in it but types and globals.
 */
export function transactions(db: WritingConnection, statements: readonly string[]): (steps: readonly Step[]) => WriteFailure | null {
  const prepared = statements.map((sql) => db.prepare(sql));
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const undone = (): boolean => {
    try {
      if (db.inTransaction) db.exec('ROLLBACK');
      return true;
    } catch {
      return false;
    }
  };
  return (steps) => {
    let committing = false;
    try {
      begin.run();
      for (const [statement, parameters] of steps) prepared[statement]?.run(parameters);
      committing = true;
      commit.run();
      return null;
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown };
      return { message: String(message), code: typeof code === 'string' ? code : '', committing, stuck: !undone() };
    }
  };
}
