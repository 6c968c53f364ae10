import { performance } from 'node:perf_hooks';
import Database from 'libsql';

const PAGE = 4_096;

/** The rows of a filled table and the statements that create it, for {@link bare} to write again. */
export interface Filled {
  readonly table: string;
  readonly make: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Reads the schema and all rows of these tables from the read models' file. */
export function filled(file: string, tables: readonly string[]): Filled[] {
  const db = new Database(file);
  try {
    return tables.map((table) => ({
      table,
      make: (
        db
          .prepare('SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC')
          .all(table) as { sql: string }[]
      ).map(({ sql }) => sql),
      rows: db.prepare(`SELECT * FROM ${table}`).raw().all() as unknown[][],
    }));
  } finally {
    db.close();
  }
}

/**
 * Measures the minimal cost of a rebuild in seconds: it reads and parses the same events and inserts the same rows with
 * prepared statements, one transaction per page. It folds nothing, replaces no rows and exchanges no tables.
 */
export function bare(log: string, file: string, categories: ReadonlySet<string>, tables: readonly Filled[]): number {
  const [source, target] = [new Database(log), new Database(file)];
  try {
    target.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    const began = performance.now();
    readAll(source, categories);
    for (const { table, make, rows } of tables) {
      for (const statement of make) target.exec(statement);
      if (rows.length === 0) continue;
      const insert = target.prepare(
        `INSERT INTO ${table} VALUES (${Array(rows[0]?.length ?? 1)
          .fill('?')
          .join(', ')})`,
      );
      for (let at = 0; at < rows.length; at += PAGE) {
        target.exec('BEGIN');
        for (const row of rows.slice(at, at + PAGE)) insert.run(...row);
        target.exec('COMMIT');
      }
    }
    return (performance.now() - began) / 1_000;
  } finally {
    source.close();
    target.close();
  }
}

function readAll(source: InstanceType<typeof Database>, categories: ReadonlySet<string>): void {
  const page = source.prepare(
    'SELECT position, stream, revision, body FROM events WHERE position > ? ORDER BY position LIMIT ?',
  );
  for (let after = 0; ;) {
    const rows = page.all(after, PAGE) as { position: number; stream: string; body: string }[];
    const last = rows.at(-1);
    if (!last) return;
    after = last.position;
    for (const { stream, body } of rows) if (categories.has(stream.slice(0, stream.indexOf('-')))) JSON.parse(body);
  }
}
