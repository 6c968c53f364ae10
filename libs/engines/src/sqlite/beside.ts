import { rmSync } from 'node:fs';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { OpenBeside } from '../views/beside';
import type { Views } from '../views/columns';
import { assertName } from '../views/columns';
import { openSqliteViews } from './views';

/** Tables made anew in a file beside the views' own. Putting them in place copies them, on the one connection of the views: all others wait for it. */
export function sqliteBeside(views: Kysely<unknown>, file: string): OpenBeside {
  const live = views as Kysely<Views>;
  return async () => {
    clear(file);
    const db = openSqliteViews<unknown>(file, 'off');
    return {
      db,
      async replace(tables, finish, also) {
        tables.forEach(assertName);
        // Not possible within a transaction.
        await sql`ATTACH DATABASE ${file} AS rebuilt`.execute(live);
        try {
          await live.transaction().execute(async (trx) => {
            await finish();
            // Its last writes stand in the file only now.
            await db.destroy();
            for (const table of tables) await put(trx, table);
            await also(trx);
          });
        } finally {
          await sql`DETACH DATABASE rebuilt`.execute(live);
        }
      },
      async close() {
        await db.destroy();
        clear(file);
      },
    };
  };
}

/** With the columns and indices that it has now: what stood there may have been made by an earlier release. */
async function put(trx: Transaction<Views>, table: string): Promise<void> {
  const { rows } = await sql<{ sql: string }>`SELECT sql FROM rebuilt.sqlite_schema WHERE tbl_name = ${table} AND sql IS NOT NULL ORDER BY type DESC`.execute(trx);
  const [create, ...indices] = rows;
  if (!create) throw new Error(`there is no table ${table} to put in place`);
  await sql`DROP TABLE IF EXISTS main.${sql.ref(table)}`.execute(trx);
  await sql.raw(create.sql).execute(trx);
  await sql`INSERT INTO main.${sql.ref(table)} SELECT * FROM rebuilt.${sql.ref(table)}`.execute(trx);
  for (const index of indices) await sql.raw(index.sql).execute(trx);
}

function clear(file: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
}
