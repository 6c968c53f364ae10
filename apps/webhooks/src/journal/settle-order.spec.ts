import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { isoTime } from '@ponte/kernel';
import type { Kysely } from 'kysely';
import { createDeliveryTables } from '../deliveries/delivery-tables.adapter';
import { insertAll, journaled, JournalUnderTest } from '../testing/journal-under-test';
import type { WebhooksSchema } from '../testing/webhooks-schema';

const NOW = Date.parse('2026-06-30T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('rows that are missing', () => {
  let db: Kysely<WebhooksSchema>;
  let journal: JournalUnderTest;
  let now = NOW;
  beforeEach(async () => {
    now = NOW;
    db = await openSqliteReadModels<WebhooksSchema>(':memory:');
    await createDeliveryTables(db as Kysely<unknown>);
    journal = new JournalUnderTest(db as Kysely<unknown>, () => now);
  });
  afterEach(() => db.destroy());

  const add = (id: string, ageMs: number) =>
    insertAll(db, 'webhook_delivery_journal', [journaled(id, 0, isoTime(NOW - ageMs))]);

  it('are written first where a delivery may be open, after a rebuild', async () => {
    await add('a', 30 * DAY);
    await add('b', HOUR);
    await journal.settler.settleAll();
    expect(journal.shown).toEqual(['b', 'a']);
  });

  it('are found within an hour if they are of the last week, although a newer event was checked', async () => {
    await add('new', 0);
    await journal.job.run();
    await insertAll(
      db,
      'webhook_delivery_journal',
      Array.from({ length: 21_000 }, (_, at) => journaled(`a-${at}`, 0, isoTime(NOW - 30 * DAY))),
    );
    await add('open', 6 * DAY);
    await journal.job.run();
    expect(journal.shown).not.toContain('open');
    now += HOUR;
    await journal.job.run();
    expect(journal.shown).toContain('open');
  });
});
