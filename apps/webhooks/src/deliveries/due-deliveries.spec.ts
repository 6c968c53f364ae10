import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { Kysely } from 'kysely';
import { DeliveryQueues, DUE_PER_ENDPOINT } from '../dispatch/delivery-queues.read-model';
import { FailingEndpoints } from '../failing-endpoints/failing-endpoints.read-model';
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

  it('are not late while its receiver fails, but again two hours after its last failure', async () => {
    const [queues, failing] = [new DeliveryQueues(db), new FailingEndpoints(db)];
    const row = failedRow('waits', 0, EARLIER);
    await new DeliveryReadModel(db).put([{ ...row, due_at: EARLIER }]);
    expect(await queues.oldestDue(NOW)).toBe(EARLIER);
    await failing.put(row.endpoint_id, { since: '2026-06-01T12:00:00.000Z', last: '2026-06-02T10:00:00.001Z' });
    expect(await queues.oldestDue(NOW)).toBeNull();
    await failing.put(row.endpoint_id, { since: '2026-06-01T12:00:00.000Z', last: '2026-06-02T10:00:00.000Z' });
    expect(await queues.oldestDue(NOW)).toBe(EARLIER);
    const other = { ...failedRow('other', 0, EARLIER), endpoint_id: 'healthy', due_at: '2026-06-02T11:30:00.000Z' };
    await failing.put(row.endpoint_id, { since: '2026-06-01T12:00:00.000Z', last: NOW });
    await new DeliveryReadModel(db).put([other]);
    expect(await queues.oldestDue(NOW)).toBe(other.due_at);
  });
});
