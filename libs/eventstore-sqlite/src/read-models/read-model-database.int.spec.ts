import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import Database from 'libsql';
import { temporaryFolder } from '@ponte/testing';
import { openSqliteReadModels } from './read-models';

interface Rows {
  things: { name: string; count: number };
}

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe.each(['inline', 'thread'] as const)('read models with another writer, written %s', (writes) => {
  it('a transaction that reads first succeeds despite a concurrent write, and so do later writes', async () => {
    const file = join(folder.path, 'read-models.db');
    const readModels = openSqliteReadModels<Rows>(file, 'normal', writes);
    await sql`CREATE TABLE things (name TEXT PRIMARY KEY, count INTEGER)`.execute(readModels);
    await readModels.insertInto('things').values({ name: 'ours', count: 1 }).execute();
    await turn();
    const other = new Database(file, { timeout: 10 });
    const meddle = (): unknown => {
      try {
        return other.exec("UPDATE things SET count = count + 100 WHERE name = 'theirs'");
      } catch (error) {
        return error;
      }
    };
    other.prepare("INSERT INTO things VALUES ('theirs', 1)").run();
    let met: unknown;
    await readModels.transaction().execute(async (trx) => {
      const { count } = await trx
        .selectFrom('things')
        .select('count')
        .where('name', '=', 'ours')
        .executeTakeFirstOrThrow();
      met = meddle();
      await trx
        .updateTable('things')
        .set({ count: count + 1 })
        .where('name', '=', 'ours')
        .execute();
    });
    expect(met).toMatchObject({ code: 'SQLITE_BUSY' });
    expect(meddle()).toBeUndefined();
    await readModels.updateTable('things').set({ count: 7 }).where('name', '=', 'ours').execute();
    await turn();
    expect(other.prepare('SELECT name, count FROM things ORDER BY name').all()).toEqual([
      { name: 'ours', count: 7 },
      { name: 'theirs', count: 101 },
    ]);
    other.close();
    await readModels.destroy();
  });
});

describe('read models written by a thread', () => {
  let readModels: Kysely<Rows>;
  let other: Kysely<Rows>;
  beforeEach(async () => {
    readModels = openSqliteReadModels<Rows>(join(folder.path, 'read-models.db'), 'off', 'thread');
    other = openSqliteReadModels<Rows>(join(folder.path, 'read-models.db'), 'off');
    await sql`CREATE TABLE things (name TEXT PRIMARY KEY, count INTEGER CHECK (count >= 0))`.execute(readModels);
  });
  afterEach(async () => {
    await readModels.destroy();
    await other.destroy();
  });
  const put = (name: string, count = 1) =>
    readModels.insertInto('things').values({ name, count }).executeTakeFirstOrThrow();
  const names = async (db: Kysely<Rows>) =>
    (await db.selectFrom('things').select('name').orderBy('name').execute()).map(({ name }) => name);

  it('a write returns its number of changed rows when others can see it, and a refused write fails alone', async () => {
    const outcomes = await Promise.allSettled([put('a'), put('b'), put('a'), put('c', -1), put('d')]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' } });
    expect([await names(readModels), await names(other)]).toEqual([
      ['a', 'b', 'd'],
      ['a', 'b', 'd'],
    ]);
    expect(
      await readModels.updateTable('things').set({ count: 5 }).where('name', '<', 'c').executeTakeFirstOrThrow(),
    ).toMatchObject({ numUpdatedRows: 2n });
    expect(await readModels.deleteFrom('things').where('name', '=', 'unknown').executeTakeFirstOrThrow()).toMatchObject(
      {
        numDeletedRows: 0n,
      },
    );
  });

  it('a read sees all earlier writes, even if they were not awaited', async () => {
    for (let at = 0; at < 50; at += 1) {
      const writing = [put(`a${at}`), put(`b${at}`)];
      expect(await names(readModels)).toHaveLength(2 * at + 2);
      await Promise.all(writing);
    }
  });

  it('a transaction has exclusive access: it runs after earlier requests and before later ones', async () => {
    const before = put('before');
    let within: string[] = [];
    const transaction = readModels.transaction().execute(async (trx) => {
      within = await names(trx);
      await trx.insertInto('things').values({ name: 'within', count: 1 }).execute();
      await turn();
      await trx.deleteFrom('things').where('name', '=', 'before').execute();
    });
    await turn();
    const [meanwhile, seen] = [put('meanwhile'), names(readModels)];
    await Promise.all([before, transaction, meanwhile]);
    expect([within, await seen, await names(readModels)]).toEqual([['before'], ['within'], ['meanwhile', 'within']]);
  });

  it('a failed transaction changes nothing, and later transactions and single writes succeed', async () => {
    const failing = () =>
      readModels.transaction().execute(async (trx) => {
        await trx.insertInto('things').values({ name: 'lost', count: 1 }).execute();
        throw new Error('no');
      });
    const outcomes = await Promise.allSettled([failing(), put('a'), failing(), put('b')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    await readModels.transaction().execute((trx) => trx.insertInto('things').values({ name: 'c', count: 1 }).execute());
    expect(await names(other)).toEqual(['a', 'b', 'c']);
  });

  it('pending writes are completed when it closes, and later ones are refused', async () => {
    const writing = put('last');
    await turn();
    const ending = readModels.destroy();
    await Promise.all([writing, ending]);
    await expect(put('late')).rejects.toThrow();
    expect(await names(other)).toEqual(['last']);
  });
});
