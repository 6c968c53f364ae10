import { join } from 'node:path';
import { createReaderTables } from '@ponte/read-models';
import { temporaryFolder } from '@ponte/testing';
import { openDatabase } from './database';
import { kyselyOver } from './prepared';
import { openSqliteState } from './state';

it('the parked events of a stream are found by an index, and so are the parked streams of a consumer', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'state.db');
  const state = openSqliteState(file, 'off');
  const db = openDatabase(file, '', { durability: 'off' });
  const prepare = jest.spyOn(db, 'prepare');
  const { parkedEvents } = createReaderTables(kyselyOver(db), async () => undefined);
  await parkedEvents.list('g', 'order-1');
  await parkedEvents.keys('g');
  await parkedEvents.place('g', 'order-1', 'e');
  const last = { key: 'order-1', reason: '', event: { id: 'e', revision: 1 } };
  await parkedEvents.page('g', 'order-1', 9, last);
  await parkedEvents.isAwaited('g', 'order-1', last.event);
  const plans = prepare.mock.calls.map(([sql]) => {
    const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array(sql.split('?').length - 1).fill('g')) as {
      detail: string;
    }[];
    return steps.map(({ detail }) => detail).filter((detail) => /^(SEARCH|SCAN) p\b|TEMP B-TREE/.test(detail));
  });
  expect(plans).toEqual([
    ['SEARCH p USING INDEX parked_by_stream (consumer=? AND stream=?)'],
    [expect.stringMatching(/^SEARCH p USING (COVERING )?INDEX parked_by_stream \(consumer=\?\)$/)],
    [
      'SEARCH p USING INDEX parked_by_stream (consumer=? AND stream=?)',
      'SEARCH p USING INDEX parked_by_stream (consumer=? AND stream=?)',
      'SEARCH p USING INDEX sqlite_autoindex_parked_1 (consumer=? AND event=?)',
    ],
    [
      'SEARCH p USING INDEX parked_by_stream (consumer=? AND stream=? AND revision>?)',
      // Of the events with one revision.
      expect.stringMatching(/^USE TEMP B-TREE FOR (RIGHT|LAST)/),
    ],
    ['SEARCH p USING INDEX parked_by_stream (consumer=? AND stream=? AND revision>?)'],
  ]);
  db.close();
  await state.close();
  folder.remove();
});
