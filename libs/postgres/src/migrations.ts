import type { Run } from './connection';
import type { Postgres } from './postgres';
import { assertSchema } from './postgres';

/** A group of tables and its migrations. Step n creates version n + 1, and is never changed after its release. */
export interface Area {
  readonly name: string;
  /** Each step puts `schema` before each name. */
  readonly steps: readonly ((schema: string) => string)[];
}

/** The advisory lock for migrations: any number, but the same in all processes. */
const LOCK = 4_920_613_277;
/** Another process may be creating large tables meanwhile. */
const LOCK_WAIT = '120s';
/**
 * How long the driver waits for one statement of a migration, in milliseconds: an index of a large table takes minutes.
 */
export const MIGRATION_MS = 3_600_000;

/**
 * Prepares a transaction for a migration: one at a time and without a time-out of the server. Run it with
 * {@link MIGRATION_MS}. `IF NOT EXISTS` alone fails if two processes create the same table at once.
 */
export async function lockForMigration(run: Run): Promise<void> {
  await run(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
  await run('SET LOCAL statement_timeout = 0');
  await run('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  // A session refreshes its catalogue when it locks a table; an advisory lock does not do that. Without this statement
  // it would not see a schema that another session created.
  await run('SELECT 1 FROM pg_catalog.pg_namespace LIMIT 1');
}

/** Checks first, because creating a schema requires a permission on the database even if it exists. */
export async function makeSchema(postgres: Postgres, schema: string): Promise<void> {
  assertSchema(schema);
  const [found] = await postgres.query<{ there: boolean }>('SELECT to_regnamespace($1) IS NOT NULL AS there', [schema]);
  if (found?.there) return;
  await postgres.transaction(async (run) => {
    await lockForMigration(run);
    await run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  }, MIGRATION_MS);
}

/**
 * Migrates a group of tables in a schema. It may be called concurrently and repeatedly. A newer version than this
 * program's is left unchanged.
 */
export async function migrate(postgres: Postgres, schema: string, area: Area): Promise<void> {
  if ((await versionOf((text, values) => postgres.query(text, values), schema, area)) >= area.steps.length) return;
  await makeSchema(postgres, schema);
  await postgres.transaction(async (run) => {
    await lockForMigration(run);
    await run(
      `CREATE TABLE IF NOT EXISTS ${schema}.versions (area text PRIMARY KEY, version integer NOT NULL, since timestamptz NOT NULL)`,
    );
    const version = await versionOf(run, schema, area);
    for (const step of area.steps.slice(version)) {
      for (const statement of step(schema)
        .split(';')
        .map((one) => one.trim())
        .filter(Boolean))
        await run(statement);
    }
    await run(
      `
      INSERT INTO ${schema}.versions (area, version, since) VALUES ($1, $2, now())
      ON CONFLICT (area) DO UPDATE SET version = excluded.version, since = excluded.since
        WHERE versions.version < excluded.version`,
      [area.name, area.steps.length],
    );
  }, MIGRATION_MS);
}

async function versionOf(run: Run, schema: string, { name }: Area): Promise<number> {
  const [found] = await run<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [`${schema}.versions`]);
  if (!found?.there) return 0;
  const [row] = await run<{ version: number }>(`SELECT version FROM ${schema}.versions WHERE area = $1`, [name]);
  return row?.version ?? 0;
}
