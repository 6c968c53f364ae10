import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { OpenShadowReadModels, ReadModelTables } from '@ponte/read-models';
import { assertName } from '@ponte/read-models';
import { Postgres } from '../postgres';
import { openPostgresReadModels } from './read-models';

/** Few connections, so that normal work does not wait behind a rebuild. */
const CONNECTIONS = 4;
/** Time limit for running statements to release the tables; the last events are applied while the tables are locked. */
const LOCK_WAIT = '10s';

/**
 * Rebuilds tables in a separate schema, `<schema>_rebuild`, which requires the permission to create schemas. The
 * exchange moves tables and copies nothing.
 */
export function postgresShadowReadModels(postgres: Postgres, readModels: Kysely<unknown>): OpenShadowReadModels {
  const live = readModels as Kysely<ReadModelTables>;
  const { options } = postgres;
  const schema = `${options.schema}_rebuild`;
  const drop = () => postgres.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  return async () => {
    await drop();
    const own = await Postgres.open({ ...options, schema, limits: { ...options.limits, connections: CONNECTIONS } });
    const db = await openPostgresReadModels<unknown>(own);
    return {
      db,
      async replace(tables, finish, also) {
        tables.forEach(assertName);
        await live.transaction().execute(async (trx) => {
          for (const setting of [
            `lock_timeout = '${LOCK_WAIT}'`,
            'statement_timeout = 0',
            'idle_in_transaction_session_timeout = 0',
          ]) {
            await sql.raw(`SET LOCAL ${setting}`).execute(trx);
          }
          // Locks all tables in one statement: acquiring locks step by step while others hold some of them could
          // deadlock.
          await sql.raw(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`).execute(trx);
          await finish();
          for (const table of tables) {
            await sql.raw(`DROP TABLE ${table}`).execute(trx);
            await sql.raw(`ALTER TABLE ${schema}.${table} SET SCHEMA ${options.schema}`).execute(trx);
          }
          await also(trx);
        });
      },
      async close() {
        await db.destroy();
        await own.close();
        await drop();
      },
    };
  };
}
