export type Step = readonly [sql: string, parameters: readonly unknown[]];

/** An error of SQLite as plain data, so that it can be sent between threads. */
export interface StepFailure {
  readonly message: string;
  /** SQLite's error code; empty if the error is not from SQLite. */
  readonly code: string;
}

/** Why a transaction failed. */
export interface WriteFailure extends StepFailure {
  /** True if the commit failed: the rows may have reached the disk anyway. */
  readonly committing: boolean;
  /** True if the rollback failed too. */
  readonly stuck: boolean;
}

/** For each step, the number of changed rows or its own failure; or the failure of the whole transaction. */
export type Outcome = readonly (number | StepFailure)[] | WriteFailure;

/** The members of the driver's connection that writing needs. */
export interface WritingConnection {
  readonly inTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): { run(...parameters: unknown[]): { readonly changes: number } };
}

/**
 * Runs lists of steps, each as one transaction. Returns when it is on the disk, or as far as the connection's settings
 * require. With `apart`, the steps belong to several callers, and a step that SQLite refuses does not affect the
 * others; otherwise it fails all of them.
 *
 * A thread runs this function from its source text, see `writer-thread.ts`, so it must not refer to anything outside of
 * itself except types and globals.
 */
export function transactions(db: WritingConnection, apart: boolean): (steps: readonly Step[]) => Outcome {
  /** Number of statements cached. A running system has few texts; ad-hoc filters a few hundred. */
  const max = 500;
  const kept = new Map<string, ReturnType<WritingConnection['prepare']>>();
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const prepared = (sql: string): ReturnType<WritingConnection['prepare']> => {
    const known = kept.get(sql);
    if (known) return known;
    const made = db.prepare(sql);
    if (kept.size >= max) kept.clear();
    kept.set(sql, made);
    return made;
  };
  const reported = (error: unknown): StepFailure => {
    const { message, code } = error as { message?: unknown; code?: unknown };
    return { message: String(message), code: typeof code === 'string' ? code : '' };
  };
  const undone = (): boolean => {
    try {
      if (db.inTransaction) db.exec('ROLLBACK');
      return true;
    } catch {
      return false;
    }
  };
  const carryOut = ([sql, parameters]: Step): number | StepFailure => {
    try {
      return prepared(sql).run(parameters).changes;
    } catch (error) {
      // Some errors, such as a full disk, roll back the whole transaction.
      if (!apart || !db.inTransaction) throw error;
      return reported(error);
    }
  };
  return (steps) => {
    let committing = false;
    try {
      begin.run();
      const outcomes = steps.map(carryOut);
      committing = true;
      commit.run();
      return outcomes;
    } catch (error) {
      return { ...reported(error), committing, stuck: !undone() };
    }
  };
}
