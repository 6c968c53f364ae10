import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { Kysely } from 'kysely';
import { DeliveryQueues, DUE_PER_ENDPOINT } from '../dispatch/delivery-queues.read-model';
import { failedRow } from '../testing/journal-under-test';
import { DeliveryReadModel } from './deliveries.read-model';
import { createDeliveryTables } from './delivery-tables.adapter';

const NOW = '2026-06-02T12:00:00.000Z';
const EARLIER = '2026-06-02T11:00:00.000Z';

describe('the due deliveries of an endpoint', () => {
  let db: Kysely<unknown>;
  beforeEach(async () => {
    db = await openSqliteReadModels(':memory:');
    await createDeliveryTables(db);
  });
  afterEach(() => db.destroy());

  it('include one that is due after many that are set aside', async () => {
    const aside = Array.from({ length: DUE_PER_ENDPOINT + 44 }, (_, at) => `aside-${at}`);
    await new DeliveryReadModel(db).put([
      ...aside.map((id) => ({ ...failedRow(id, 0, EARLIER), due_at: EARLIER })),
      { ...failedRow('healthy', 0, EARLIER), due_at: NOW },
    ]);
    const queues = new DeliveryQueues(db);
    const found = async (isPostponed: (id: string) => boolean) =>
      (await queues.due(NOW, [], null, isPostponed)).tasks.map(({ deliveryId }) => deliveryId);
    expect(await found((id) => id !== 'healthy')).toEqual(['healthy']);
    expect(await found(() => true)).toEqual([]);
    expect(await found(() => false)).toHaveLength(DUE_PER_ENDPOINT);
  });
});
