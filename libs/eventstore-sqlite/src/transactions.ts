/** A statement and its parameters. */
export type Step = readonly [sql: string, parameters: readonly unknown[]];

/** What SQLite said. Plain, so that it passes between threads. */
export interface StepFailure {
  readonly message: string;
  /** SQLite's own name of it; empty when it was not SQLite that failed. */
  readonly code: string;
}

/** Why a transaction was not carried out. */
export interface WriteFailure extends StepFailure {
  /** It was the commit that failed: the rows may have reached the disk all the same. */
  readonly committing: boolean;
  /** What was written could not be undone either. */
  readonly stuck: boolean;
}

/** How many rows each step changed, or why it changed none though the others stand. */
export type Outcome = readonly (number | StepFailure)[] | WriteFailure;

/** As much of the driver's connection as writing takes. */
export interface WritingConnection {
  readonly inTransaction: boolean;
  exec(sql: string): void;
  prepare(sql: string): { run(...parameters: unknown[]): { readonly changes: number } };
}

/**
 * Carries out lists of steps, each as one transaction. It has been carried out when it is on the disk, or as far there
 * as the connection was told to wait. With `apart` the steps are of several callers, and one that SQLite refuses leaves
 * the others be; else it refuses them all.
 *
 * A thread runs this from its text, see `writer-thread.ts`: nothing outside of the function may be named in it but
 * types and globals.
 */
export function transactions(db: WritingConnection, apart: boolean): (steps: readonly Step[]) => Outcome {
  /** Statements kept ready; the texts of a running system are few, those of ad-hoc filters a few hundred. */
  const most = 500;
  const kept = new Map<string, ReturnType<WritingConnection['prepare']>>();
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const prepared = (sql: string): ReturnType<WritingConnection['prepare']> => {
    const known = kept.get(sql);
    if (known) return known;
    const made = db.prepare(sql);
    if (kept.size >= most) kept.clear();
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
      // Some refusals, such as that of a full disk, take the whole transaction with them.
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
