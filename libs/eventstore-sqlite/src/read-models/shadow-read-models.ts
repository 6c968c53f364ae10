import { rmSync } from 'node:fs';
import type { Transaction } from 'kysely';
import { Kysely, sql, SqliteDialect } from 'kysely';
import type { OpenShadowReadModels, ReadModelTables } from '@ponte/read-models';
import { assertName } from '@ponte/read-models';
import { openDatabase } from '../database';
import { readModelDatabase } from './read-model-database';

/** Page cache of the shadow file, in KiB: rows arrive in log order but are stored by id, so writes are random. */
const CACHE_KIB = 131_072;

interface Index {
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string;
}

/**
 * Rebuilds tables in a file beside the read models' own file. Exchanging them copies them over the only connection of
 * the read models, so all other work on those waits. The shadow file is worthless until then, so it has no journal and
 * only the primary keys; other indices are created after the copy.
 */
export function sqliteShadowReadModels(readModels: Kysely<unknown>, file: string): OpenShadowReadModels {
  const live = readModels as Kysely<ReadModelTables>;
  return async () => {
    clear(file);
    const database = openDatabase(file, '', { durability: 'off' });
    database.exec(`PRAGMA journal_mode = OFF; PRAGMA cache_size = -${CACHE_KIB}`);
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: readModelDatabase(database) }) });
    let indices: readonly Index[] = [];
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => (closing ??= db.destroy());
    return {
      db,
      async opened() {
        const found = sql<Index>`
          SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`;
        indices = (await found.execute(db)).rows;
        for (const { name } of indices) await sql`DROP INDEX ${sql.ref(name)}`.execute(db);
      },
      async replace(tables, finish, also) {
        tables.forEach(assertName);
        // ATTACH is not possible within a transaction.
        await sql`ATTACH DATABASE ${file} AS rebuilt`.execute(live);
        try {
          await live.transaction().execute(async (trx) => {
            await finish();
            // Closing writes its last pages to the file.
            await close();
            for (const table of tables)
              await put(
                trx,
                table,
                indices.filter(({ tbl_name: of }) => of === table),
              );
            await also(trx);
          });
        } finally {
          await sql`DETACH DATABASE rebuilt`.execute(live);
        }
      },
      async close() {
        await close();
        clear(file);
      },
    };
  };
}

/** Uses the current columns and indices: the existing table may be from an earlier release. */
async function put(trx: Transaction<ReadModelTables>, table: string, indices: readonly Index[]): Promise<void> {
  const {
    rows: [create],
  } = await sql<{
    sql: string;
  }>`SELECT sql FROM rebuilt.sqlite_schema WHERE type = 'table' AND name = ${table}`.execute(trx);
  if (!create) throw new Error(`table ${table} was not rebuilt and cannot be exchanged`);
  await sql`DROP TABLE IF EXISTS main.${sql.ref(table)}`.execute(trx);
  await sql.raw(create.sql).execute(trx);
  await sql`INSERT INTO main.${sql.ref(table)} SELECT * FROM rebuilt.${sql.ref(table)}`.execute(trx);
  for (const index of indices) await sql.raw(index.sql).execute(trx);
}

function clear(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true });
}
