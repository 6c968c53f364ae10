import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { OrderRow } from '@ponte/testing';
import { describeOnRealEngine, ORDER_TABLE, orderRow } from '@ponte/testing';
import { ERASED } from '@ponte/event-sourcing';
import { keyRing, localMasterKey } from '@ponte/personal-data';
import { createReadModelTable } from '@ponte/read-models';
import { PostgresFailure } from './failures';
import { SHARED_SCHEMA } from './state/backlogs';
import { KEYS_SCHEMA, migratePostgres } from './migrate';
import { openPostgresPersonalData } from './personal-data';
import { Postgres } from './postgres';
import { rewrapPostgresKeys } from './rewrap';
import { openPostgresReadModels } from './read-models/read-models';
import {
  cleanUp,
  connect,
  logged,
  logger,
  masterKey,
  postgresUnderTest,
  schemaOf,
  server,
} from './postgres-under-test.testing';

describeOnRealEngine("what is PostgreSQL's own", () => {
  postgresUnderTest('PostgreSQL');
  afterEach(cleanUp);

  test('tables are created once by many concurrent processes, and a second run changes nothing', async () => {
    const schemas = [schemaOf(), schemaOf()];
    await Promise.all(Array.from({ length: 6 }, () => migratePostgres(server.url, schemas)));
    await migratePostgres(server.url, schemas);
    const postgres = await connect(schemas[0] as string);
    expect(await postgres.query('SELECT area, version FROM versions ORDER BY area')).toEqual([
      { area: 'engines', version: 5 },
      { area: 'snapshots', version: 1 },
    ]);
    expect(await postgres.query(`SELECT area, version FROM ${KEYS_SCHEMA}.versions`)).toEqual([
      { area: 'keys', version: 1 },
    ]);
    expect(await postgres.query(`SELECT area, version FROM ${SHARED_SCHEMA}.versions`)).toEqual([
      { area: 'shared', version: 1 },
    ]);
  });

  test("services with separate schemas do not see each other's rows", async () => {
    const tables = await Promise.all(
      [schemaOf(), schemaOf()].map(async (schema) => {
        const table = createReadModelTable<OrderRow>({
          db: await openPostgresReadModels<unknown>(await connect(schema)),
          ...ORDER_TABLE,
        });
        await table.prepare();
        return table;
      }),
    );
    await tables[0]?.put(orderRow());
    expect(await tables[0]?.get('o1')).toEqual(orderRow());
    expect(await tables[1]?.get('o1')).toBeUndefined();
  });

  test('a text with a character that PostgreSQL cannot store is stored without it, so that writing rows continues', async () => {
    const table = createReadModelTable<OrderRow>({
      db: await openPostgresReadModels<unknown>(await connect(schemaOf())),
      ...ORDER_TABLE,
    });
    await table.prepare();
    await table.put(orderRow({ state: 'a\u0000b' }));
    expect((await table.get('o1'))?.state).toBe('a\uFFFDb');
    expect((await table.find({ state: 'a\u0000b' }))?.id).toBe('o1');
  });

  test('an error of the server is reported with its code and schema names, and without values', async () => {
    const db = (await openPostgresReadModels<unknown>(await connect(schemaOf()))) as Kysely<{ people: { id: string } }>;
    await db.schema
      .createTable('people')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .execute();
    await db.insertInto('people').values({ id: '52998224725' }).execute();
    const failure = await db
      .insertInto('people')
      .values({ id: '52998224725' })
      .execute()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PostgresFailure);
    expect(failure).toMatchObject({
      code: '23505',
      message: 'PostgreSQL refused a statement (23505, people.people_pkey)',
    });
    expect(JSON.stringify([failure, String(failure), (failure as Error).cause ?? null])).not.toContain('52998224725');
    expect(JSON.stringify(logged)).not.toContain('52998224725');
  });

  test('a Kysely transaction is atomic, and its connection is reused', async () => {
    const db = (await openPostgresReadModels<unknown>(await connect(schemaOf(), { connections: 1 }))) as Kysely<{
      sums: { id: string; amount: number };
    }>;
    await db.schema.createTable('sums').addColumn('id', 'text').addColumn('amount', 'bigint').execute();
    await expect(
      db.transaction().execute(async (trx) => {
        await trx.insertInto('sums').values({ id: 'a', amount: 1 }).execute();
        throw new Error('roll back');
      }),
    ).rejects.toThrow('roll back');
    await db
      .transaction()
      .execute((trx) => trx.insertInto('sums').values({ id: 'a', amount: 9_007_199_254_740_991 }).execute());
    expect(
      await db
        .selectFrom('sums')
        .select(({ fn }) => [fn.countAll().as('rows'), fn.max('amount').as('most')])
        .execute(),
    ).toEqual([{ rows: 1, most: 9_007_199_254_740_991 }]);
    await sql`INSERT INTO sums (id, amount) VALUES ('b', 9007199254740993)`.execute(db);
    await expect(db.selectFrom('sums').selectAll().execute()).rejects.toThrow(RangeError);
  });

  test('a prepared statement still works after its table has changed', async () => {
    const db = (await openPostgresReadModels<unknown>(await connect(schemaOf(), { connections: 1 }))) as Kysely<{
      things: { id: string };
    }>;
    await db.schema.createTable('things').addColumn('id', 'text').execute();
    const read = () => db.selectFrom('things').selectAll().where('id', '=', 'x').execute();
    for (let at = 0; at < 7; at += 1) await read();
    await db.schema.alterTable('things').addColumn('more', 'text').execute();
    expect(await read()).toEqual([]);
  });

  test('a different master key is detected before anything is changed, and the database contains no unencrypted key', async () => {
    const schema = schemaOf();
    const postgres = await connect(schema);
    const data = await openPostgresPersonalData(postgres, { masterKey, schema });
    await data.seal('person', '52998224725');
    await expect(
      openPostgresPersonalData(postgres, { masterKey: localMasterKey(Buffer.alloc(32, 8)), schema }),
    ).rejects.toThrow('another master key');
    const [dump] = await postgres.query<{ all: string }>(
      `SELECT (SELECT string_agg(k::text, ' ') FROM person_keys k) || ` +
        "(SELECT string_agg(s::text, ' ') FROM key_store s) AS all",
    );
    expect(dump?.all).not.toContain('07'.repeat(32));
  });

  test('the master key can be rotated while processes use either key, with any interruption, and erased subjects stay erased', async () => {
    const schema = schemaOf();
    const postgres = await connect(schema);
    const next = localMasterKey(Buffer.alloc(32, 9));
    const before = await openPostgresPersonalData(postgres, { masterKey, schema });
    const people = Array.from({ length: 20 }, (_, at) => `person-${String(at).padStart(2, '0')}`);
    const sealed = await Promise.all(people.map((person) => before.seal(person, person)));
    await before.erase('person-03');
    const ring = keyRing(next, [masterKey]);
    let wraps = 0;
    const dying = {
      ...ring,
      wrap: (key: Buffer, subject: string) =>
        (wraps += 1) > 7 ? Promise.reject(new Error('killed')) : ring.wrap(key, subject),
    };
    await expect(rewrapPostgresKeys(postgres, dying, schema)).rejects.toThrow('killed');
    const opens = async (key: Parameters<typeof openPostgresPersonalData>[1]['masterKey']) => {
      const data = await openPostgresPersonalData(await connect(schema), { masterKey: key, schema });
      const opened = await Promise.all(sealed.map((one) => data.open(one)));
      return opened.every((text, at) => (at === 3 ? text === ERASED : text === people[at]));
    };
    expect([await opens(ring), await opens(keyRing(masterKey, [next]))]).toEqual([true, true]);
    await expect(opens(next)).rejects.toThrow('another master key');
    expect(await rewrapPostgresKeys(postgres, ring, schema)).toEqual({ rewrapped: 12, current: 7 });
    expect(await opens(next)).toBe(true);
    await expect(opens(masterKey)).rejects.toThrow('another master key');
  });
});

test('an invalid connection string, or one with options, is refused without being quoted', async () => {
  const open = (url: string) => Postgres.open({ url, schema: 'orders', logger });
  await expect(open('postgres://user:s3cret@host:notaport/db')).rejects.toThrow(
    /^the connection string of PostgreSQL is not valid/,
  );
  await expect(open('postgres://user:s3cret@host/db?options=-c%20x')).rejects.toThrow('must not contain "options"');
  await expect(Postgres.open({ url: 'postgres://host/db', schema: 'a; DROP', logger })).rejects.toThrow(TypeError);
});
