import type { Kysely } from 'kysely';
import { isoTime, Unavailable } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { openDeliveryEngines } from '../testing/delivery-engines';
import { OLD_DELIVERIES_BATCH, OldDeliveries } from './old-deliveries.service';
import { failedRow, insertAll, journaled, JournalUnderTest } from '../testing/journal-under-test';
import type { WebhooksSchema } from '../testing/webhooks-schema';
import { JOURNAL_PAGE } from './row-settler.service';

const NOW = Date.parse('2026-06-30T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const before = (ms: number): string => isoTime(NOW - ms);
const name = (at: number): string => `d-${String(at).padStart(6, '0')}`;

describe('the rows of journaled deliveries', () => {
  let opened: Awaited<ReturnType<typeof openDeliveryEngines>>;
  let engines: Engines;
  let db: Kysely<WebhooksSchema>;
  let journal: JournalUnderTest;
  let now = NOW;

  beforeAll(async () => {
    opened = await openDeliveryEngines();
    engines = opened.engines;
    db = engines.readModels as Kysely<WebhooksSchema>;
  });
  beforeEach(async () => {
    await db.deleteFrom('webhook_deliveries').execute();
    await db.deleteFrom('webhook_delivery_journal').execute();
    now = NOW;
    journal = new JournalUnderTest(engines.readModels, () => now);
  });
  afterAll(() => opened.close());

  const rows = async (): Promise<string[]> =>
    (await db.selectFrom('webhook_deliveries').select('id').orderBy('id').execute()).map(({ id }) => id);
  const journals = async (): Promise<string[]> => {
    const ids = db.selectFrom('webhook_delivery_journal').select('delivery_id').distinct();
    return (await ids.orderBy('delivery_id').execute()).map(({ delivery_id }) => delivery_id);
  };
  /** A delivery with events up to a revision at the same time, and a row at another revision if one is given. */
  const delivery = async (id: string, at: string, revision: number, shown?: number): Promise<void> => {
    const events = Array.from({ length: revision + 1 }, (_, one) => journaled(id, one, at));
    await insertAll(db, 'webhook_delivery_journal', events);
    if (shown !== undefined) await insertAll(db, 'webhook_deliveries', [failedRow(id, shown, at)]);
  };

  it('are rewritten when they are missing or behind, and only then', async () => {
    await delivery('missing', before(HOUR), 2);
    await delivery('behind', before(HOUR), 2, 1);
    await delivery('current', before(HOUR), 2, 2);
    await delivery('ahead', before(HOUR), 2, 3);
    await journal.job.run();
    expect(journal.shown.sort()).toEqual(['behind', 'missing']);
    await journal.job.run();
    expect(journal.shown).toHaveLength(2);
  });

  it('are rewritten after each run that finds new events, also late ones', async () => {
    await delivery('first', before(HOUR), 0);
    await journal.job.run();
    await delivery('second', before(0), 0);
    await delivery('late', before(HOUR + 300_000), 0);
    now = NOW + 30_000;
    await journal.job.run();
    expect(journal.shown).toEqual(['first', 'late', 'second']);
  });

  it('are found when an event of a process whose clock is ahead hides them', async () => {
    await delivery('ahead', isoTime(NOW + 10 * DAY), 0);
    await journal.settler.settle({ since: before(DAY) });
    await journal.job.run();
    await delivery('now', before(0), 0);
    await journal.job.run();
    expect(journal.shown).toEqual(['ahead', 'now']);
  });

  it('are found in pages when many events have the same time, and in a journal of many pages', async () => {
    const ids = Array.from({ length: JOURNAL_PAGE }, (_, at) => name(at));
    const events = ids.flatMap((id) => [0, 1].map((revision) => journaled(id, revision, before(HOUR))));
    await insertAll(db, 'webhook_delivery_journal', [...events, journaled('z', 0, before(HOUR))]);
    await insertAll(
      db,
      'webhook_deliveries',
      ids.slice(1).map((id) => failedRow(id, 1, before(HOUR))),
    );
    await journal.settler.settle({ since: before(DAY) });
    expect(journal.shown).toEqual([name(0), 'z']);
    await db
      .deleteFrom('webhook_deliveries')
      .where('id', 'in', [name(7), 'z'])
      .execute();
    await journal.settler.settle();
    expect(journal.shown.slice(2)).toEqual([name(7), 'z']);
  });

  it('are found wherever they are, after as many runs as the journal has parts, again and again', async () => {
    const ids = Array.from({ length: 21 * JOURNAL_PAGE }, (_, at) => name(at));
    await insertAll(
      db,
      'webhook_delivery_journal',
      ids.map((id) => journaled(id, 0, before(30 * DAY))),
    );
    await insertAll(
      db,
      'webhook_deliveries',
      ids.slice(0, -1).map((id) => failedRow(id, 0, before(30 * DAY))),
    );
    await journal.job.run();
    expect(journal.shown).toEqual([]);
    await journal.job.run();
    expect(journal.shown).toEqual(ids.slice(-1));
    await db.deleteFrom('webhook_deliveries').where('id', '=', name(0)).execute();
    for (let run = 0; run < 2; run += 1) await journal.job.run();
    expect(journal.shown).toEqual([...ids.slice(-1), name(0)]);
  });

  it('are rewritten although one delivery cannot be read, which is reported', async () => {
    for (const id of ['a', 'b', 'c']) await delivery(id, before(HOUR), 0);
    journal.beforeShowing = (ids) => {
      if (ids.includes('b')) throw new Error('the event cannot be decoded');
    };
    await expect(journal.job.run()).rejects.toThrow('the event cannot be decoded');
    expect(await rows()).toEqual(['a', 'c']);
    journal.beforeShowing = () => undefined;
    await journal.job.run();
    expect(await rows()).toEqual(['a', 'b', 'c']);
  });

  it('are rewritten by a later run if the database was unavailable', async () => {
    for (const id of ['a', 'b']) await delivery(id, before(6 * DAY), 0);
    let calls = 0;
    journal.beforeShowing = () => {
      calls += 1;
      throw new Unavailable('service-unavailable');
    };
    await expect(journal.job.run()).rejects.toThrow(Unavailable);
    expect(calls).toBeLessThanOrEqual(2);
    journal.beforeShowing = () => undefined;
    await journal.job.run();
    expect(await rows()).toEqual(['a', 'b']);
  });

  it('are deleted with the journal when they are old and ended, in batches', async () => {
    const old = Array.from({ length: 2 * OLD_DELIVERIES_BATCH + 1 }, (_, at) => name(at));
    await insertAll(
      db,
      'webhook_deliveries',
      old.map((id) => failedRow(id, 1, before(91 * DAY))),
    );
    const events = old.flatMap((id) => [0, 1].map((revision) => journaled(id, revision, before(91 * DAY))));
    await insertAll(db, 'webhook_delivery_journal', events);
    await delivery('recent', before(DAY), 1, 1);
    await insertAll(db, 'webhook_deliveries', [{ ...failedRow('open', 0, before(91 * DAY)), due_at: before(0) }]);
    await new OldDeliveries(engines.readModels).deleteBefore(before(90 * DAY));
    expect([await rows(), await journals()]).toEqual([['open', 'recent'], ['recent']]);
  });

  it('are kept when the journal is ahead of them or has a newer event', async () => {
    await delivery('replayed', before(91 * DAY), 2, 1);
    await delivery('newer', before(91 * DAY), 1, 2);
    await insertAll(db, 'webhook_delivery_journal', [journaled('newer', 2, before(DAY))]);
    await new OldDeliveries(engines.readModels).deleteBefore(before(90 * DAY));
    expect([await rows(), await journals()]).toEqual([
      ['newer', 'replayed'],
      ['newer', 'replayed'],
    ]);
  });

  it('are deleted after they were missing for a while, and never without the journal', async () => {
    await delivery('missing', before(91 * DAY), 1);
    const old = new OldDeliveries(engines.readModels);
    await old.deleteBefore(before(90 * DAY));
    expect(await journals()).toEqual(['missing']);
    now = NOW - 91 * DAY;
    await journal.settler.settle();
    await old.deleteBefore(before(90 * DAY));
    expect([await rows(), await journals()]).toEqual([[], []]);
  });
});
