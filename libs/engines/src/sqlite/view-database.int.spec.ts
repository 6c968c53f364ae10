import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import Database from 'libsql';
import { temporaryFolder } from '@ponte/testing';
import { openSqliteViews } from './views';

interface Rows { things: { name: string; count: number } }

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => { folder = temporaryFolder(); });
afterEach(() => folder.remove());

describe('views that somebody else writes to', () => {
  it('a transaction that reads first is not refused for what was written meanwhile, and what follows is written too', async () => {
    const file = join(folder.path, 'views.db');
    const views = openSqliteViews<Rows>(file);
    await sql`CREATE TABLE things (name TEXT PRIMARY KEY, count INTEGER)`.execute(views);
    await views.insertInto('things').values({ name: 'ours', count: 1 }).execute();
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
    await views.transaction().execute(async (trx) => {
      const { count } = await trx.selectFrom('things').select('count').where('name', '=', 'ours').executeTakeFirstOrThrow();
      met = meddle();
      await trx.updateTable('things').set({ count: count + 1 }).where('name', '=', 'ours').execute();
    });
    expect(met).toMatchObject({ code: 'SQLITE_BUSY' });
    expect(meddle()).toBeUndefined();
    await views.updateTable('things').set({ count: 7 }).where('name', '=', 'ours').execute();
    await turn();
    expect(other.prepare('SELECT name, count FROM things ORDER BY name').all()).toEqual([{ name: 'ours', count: 7 }, { name: 'theirs', count: 101 }]);
    other.close();
    await views.destroy();
  });
});
