import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { OpenShadowViews, Views } from '@ponte/read-models';
import { assertName } from '@ponte/read-models';
import { Postgres } from '../postgres';
import { openPostgresViews } from './views';

/** A few statements at a time; what is in use must not wait behind a rebuild. */
const CONNECTIONS = 4;
/** For readers and writers at work to let go of the tables, and for the last events to be taken in meanwhile. */
const LOCK_WAIT = '10s';

/**
 * Tables rebuilt in a schema beside that of the service, `<schema>_rebuild`; making it needs the right to make schemas.
 * Putting them in place moves them and copies nothing.
 */
export function postgresShadowViews(postgres: Postgres, views: Kysely<unknown>): OpenShadowViews {
  const live = views as Kysely<Views>;
  const { options } = postgres;
  const schema = `${options.schema}_rebuild`;
  const drop = () => postgres.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  return async () => {
    await drop();
    const own = await Postgres.open({ ...options, schema, limits: { ...options.limits, connections: CONNECTIONS } });
    const db = await openPostgresViews<unknown>(own);
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
          // The whole lock at once: one that grows while others hold a part of it ends in a deadlock.
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
