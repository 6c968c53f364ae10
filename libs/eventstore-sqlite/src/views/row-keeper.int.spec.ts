import { rowKeeper } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { openSqliteViews } from '../index';

interface Row {
  readonly id: string;
  readonly revision: number;
  readonly colour: string;
}
const db = openSqliteViews<unknown>(':memory:');
const views = db as Kysely<{ paint: Row }>;
const keep = rowKeeper<Row>(db, 'paint', ['id', 'revision', 'colour']);
const shown = () => views.selectFrom('paint').selectAll().orderBy('id').execute();
const row = (id: string, revision: number, colour: string): [string, Row] => [id, { id, revision, colour }];

describe('rows that come and go', () => {
  beforeAll(() => sql`CREATE TABLE paint (id text PRIMARY KEY, revision integer, colour text)`.execute(views));
  afterAll(() => views.destroy());

  it('are written many at once, and the ones that end are deleted', async () => {
    await keep(new Map([row('a', 1, 'red'), row('b', 1, 'blue')]));
    await keep(new Map([row('a', 2, 'green'), ['b', null], ['c', null]]));
    expect(await shown()).toEqual([{ id: 'a', revision: 2, colour: 'green' }]);
  });

  it('never go back to a lower revision', async () => {
    await keep(new Map([row('a', 2, 'black')]));
    await keep(new Map([row('a', 1, 'white')]));
    expect(await shown()).toEqual([{ id: 'a', revision: 2, colour: 'green' }]);
  });
});
