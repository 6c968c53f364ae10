import type { Kysely } from 'kysely';
import { openPostgresReadModels, Postgres } from '@ponte/postgres';
import type { PostgresServer } from '@ponte/testing';
import { describeOnRealEngine, eventually, freshId, startPostgres } from '@ponte/testing';
import { AttemptNotes } from './attempt-notes.read-model';
import type { WebhooksSchema } from '../testing/webhooks-schema';
import type { DeliveryRow } from './deliveries.read-model';
import { DeliveryReadModel } from './deliveries.read-model';
import { createDeliveryTables } from './delivery-tables.adapter';
import { OldDeliveries } from '../journal/old-deliveries.service';

const STARTUP_MS = 240_000;
const NOW = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T13:00:00.000Z';

const row = (id: string, due: string | null): DeliveryRow => ({
  id,
  revision: 0,
  account_id: 'a',
  endpoint_id: 'e',
  event_id: id,
  event_type: 'order-completed' as DeliveryRow['event_type'],
  resource_type: 'order',
  resource_id: id,
  after_id: null,
  state: 'pending',
  attempts: 0,
  due_at: due,
  created_at: NOW,
  updated_at: NOW,
});

describeOnRealEngine('PostgreSQL: the queue of an endpoint under READ COMMITTED', () => {
  let server: PostgresServer;
  let postgres: Postgres;
  let db: Kysely<WebhooksSchema>;
  beforeAll(async () => {
    server = await startPostgres();
    postgres = await Postgres.open({
      url: server.url,
      schema: `s${freshId().replaceAll('-', '').slice(0, 20)}`,
      logger: { warn: () => undefined, error: () => undefined },
    });
    db = (await openPostgresReadModels(postgres)) as unknown as Kysely<WebhooksSchema>;
    await createDeliveryTables(db as never);
  }, STARTUP_MS);
  afterAll(async () => {
    await db.destroy();
    await postgres.close();
    await server.stop();
  });
  beforeEach(async () => {
    await db.deleteFrom('webhook_deliveries').execute();
    await db.deleteFrom('webhook_queues').execute();
  });

  const waiting = async (): Promise<number> =>
    (await postgres.query<{ count: number }>('SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted'))[0]
      ?.count ?? 0;

  it('is as late as the delivery that has been due longest and has not ended', async () => {
    const readModel = new DeliveryReadModel(db as never);
    await readModel.put([row('first', NOW), row('second', LATER)]);
    expect(await readModel.queues.oldestDue(LATER)).toBe(NOW);
    await readModel.put([{ ...row('first', null), revision: 1, state: 'succeeded' }]);
    expect(await readModel.queues.oldestDue(LATER)).toBe(LATER);
    expect(await readModel.queues.oldestDue(NOW)).toBeNull();
  });

  test.each([
    [[], 'an endpoint without open deliveries'],
    [[row('old', LATER)], 'an endpoint whose next delivery is later'],
  ])('keeps a delivery that is committed while a scan finds nothing due (%#: %s)', async (before) => {
    const readModel = new DeliveryReadModel(db as never);
    if (before.length > 0) await readModel.put(before);
    await readModel.queues.lookAt([{ endpoint_id: 'e', next_due: NOW }]);
    let looking: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      // The row and its queue entry are written but not committed when the scan reads.
      await new DeliveryReadModel(trx as never).put([row('new', NOW)]);
      looking = readModel.queues.due(NOW, () => 1, null);
      await eventually(async () => expect(await waiting()).toBeGreaterThan(0));
    });
    await looking;
    expect((await readModel.queues.due(NOW, () => 1, null)).tasks.map(({ deliveryId }) => deliveryId)).toEqual(['new']);
  });

  it('lists deliveries by filter and page, adds missing columns to an existing table, and deletes ended deliveries', async () => {
    await db.schema.alterTable('webhook_deliveries').dropColumn('resource_id').execute();
    await createDeliveryTables(db as never);
    const readModel = new DeliveryReadModel(db as never);
    await readModel.put([
      row('a', LATER),
      { ...row('b', null), state: 'succeeded', resource_type: 'deposit' },
      { ...row('c', null), state: 'failed' },
    ]);
    const any = { state: null, eventType: null, resourceType: null, resourceId: null };
    const page = { limit: 2, cursor: null, createdFrom: null, createdTo: null };
    const first = await readModel.page('e', any, page);
    expect(first.ids).toEqual(['c', 'b']);
    expect((await readModel.page('e', any, { ...page, cursor: first.next })).ids).toEqual(['a']);
    expect((await readModel.page('e', { ...any, state: 'failed' }, page)).ids).toEqual(['c']);
    expect((await readModel.page('e', { ...any, resourceType: 'deposit', resourceId: 'b' }, page)).ids).toEqual(['b']);
    expect((await readModel.page('e', any, { ...page, createdFrom: LATER })).ids).toEqual([]);
    await new OldDeliveries(db as never).deleteBefore(LATER);
    expect((await readModel.page('e', any, page)).ids).toEqual(['a']);
  });

  it('keeps the last note of each attempt, without personal data and NUL characters', async () => {
    const notes = new AttemptNotes(db as never, { seal: async (_, text) => `sealed:v1:${text}` });
    const note = { deliveryId: 'a', endpointId: 'e', attempt: 1, latencyMs: 7, at: NOW, personal: ['Maria'] };
    notes.add({ ...note, excerpt: Promise.resolve('first') });
    notes.add({ ...note, excerpt: Promise.resolve('hello Maria\0') });
    await notes.flush();
    expect(await notes.of(['a', 'b'])).toEqual([
      { delivery_id: 'a', attempt: 1, latency_ms: 7, response: 'sealed:v1:hello [removed]', at: NOW },
    ]);
    await notes.deleteBefore(LATER);
    expect(await notes.of(['a'])).toEqual([]);
  });
});
