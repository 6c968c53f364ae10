import { sql } from 'kysely';
import { describeOnRealEngine } from '@ponte/testing';
import type { Area } from './migrations';
import { migrate } from './migrations';
import { cleanUp, connect, postgresUnderTest, schemaOf } from './postgres-under-test.testing';
import { openPostgresReadModels } from './read-models/read-models';

describeOnRealEngine('PostgreSQL, migrations that take longer than a statement may', () => {
  postgresUnderTest('PostgreSQL migrations');
  afterEach(cleanUp);

  const SHORT = { statementMs: 3_000, silenceMs: 3_000, patienceMs: 100 };
  const table = (name: string): string => `CREATE TABLE ${name} AS SELECT pg_sleep(6)::text AS slept`;
  const slow: Area = { name: 'slow', steps: [(schema) => table(`${schema}.slept`)] };

  test('run once, and other processes wait for them', async () => {
    const schema = schemaOf();
    const processes = await Promise.all([connect(schema, SHORT), connect(schema, SHORT)]);
    await Promise.all(processes.map((postgres) => migrate(postgres, schema, slow)));
    expect(await processes[0]?.query('SELECT area, version FROM versions')).toEqual([{ area: 'slow', version: 1 }]);
    // A statement of any other kind still has its time limit.
    await expect(processes[0]?.query('SELECT pg_sleep(6)')).rejects.toThrow('the database is not available');
  });

  test('create the tables and the indexes of read models', async () => {
    const readModels = await openPostgresReadModels<unknown>(await connect(schemaOf(), SHORT));
    await sql.raw(table('slept')).execute(readModels);
    expect((await sql`SELECT slept FROM slept`.execute(readModels)).rows).toHaveLength(1);
  });
});
