import type { Kysely } from 'kysely';
import { openPostgresViews, Postgres } from '@ponte/engines';
import type { PostgresServer } from '@ponte/testing';
import { describeOnRealEngine, eventually, freshId, startPostgres } from '@ponte/testing';
import type { DeliveryRow, WebhooksSchema } from './deliveries';
import { DeliveriesView } from './deliveries';
import { createDeliveryTables } from './tables';

const STARTUP_MS = 240_000;
const NOW = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T13:00:00.000Z';

const row = (id: string, due: string | null): DeliveryRow => ({
  id, revision: 0, account_id: 'a', endpoint_id: 'e', event_id: id, event_type: 'order-completed' as DeliveryRow['event_type'], resource_type: 'order', resource_id: id, after_id: null,
  state: 'pending', attempts: 0, due_at: due, created_at: NOW, updated_at: NOW,
});

describeOnRealEngine('PostgreSQL: the queue of an endpoint under READ COMMITTED', () => {
  let server: PostgresServer;
  let postgres: Postgres;
  let db: Kysely<WebhooksSchema>;
  beforeAll(async () => {
    server = await startPostgres();
    postgres = await Postgres.open({ url: server.url, schema: `s${freshId().replaceAll('-', '').slice(0, 20)}`, logger: { warn: () => undefined, error: () => undefined } });
    db = await openPostgresViews(postgres) as unknown as Kysely<WebhooksSchema>;
    await createDeliveryTables(db);
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

  const waiting = async (): Promise<number> => (await postgres.query<{ count: number }>("SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted"))[0]?.count ?? 0;

  test.each([[[], 'an endpoint that had nothing left'], [[row('old', LATER)], 'an endpoint whose next delivery is later']])('keeps a delivery that is committed while a look finds nothing due (%#: %s)', async (before) => {
    const view = new DeliveriesView(db);
    if (before.length > 0) await view.put(before);
    await view.lookAt([{ endpoint_id: 'e', next_due: NOW }]);
    let looking: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      // The row is written and its queue looked at, and neither is committed yet when the look reads.
      await new DeliveriesView(trx).put([row('new', NOW)]);
      looking = view.due(NOW, [], null);
      await eventually(async () => expect(await waiting()).toBeGreaterThan(0));
    });
    await looking;
    expect((await view.due(NOW, [], null)).tasks.map(({ deliveryId }) => deliveryId)).toEqual(['new']);
  });
});
