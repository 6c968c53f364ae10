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
      (await queues.due(NOW, () => DUE_PER_ENDPOINT, null, isPostponed)).tasks.map(({ deliveryId }) => deliveryId);
    expect(await found((id) => id !== 'healthy')).toEqual(['healthy']);
    expect(await found(() => true)).toEqual([]);
    expect(await found(() => false)).toHaveLength(DUE_PER_ENDPOINT);
  });

  it('are read in pages that pass over endpoints whose deliveries are not needed, and visit all others', async () => {
    const id = (at: number) => `e${String(at).padStart(5, '0')}`;
    const rows = Array.from({ length: 2_500 }, (_, at) => ({
      ...{ ...failedRow(`d${at}`, 0, EARLIER), due_at: EARLIER },
      endpoint_id: id(at),
    }));
    for (let at = 0; at < rows.length; at += 500) await new DeliveryReadModel(db).put(rows.slice(at, at + 500));
    const queues = new DeliveryQueues(db);
    const visited = async (isNeeded: (endpointId: string) => boolean) => {
      const found: string[] = [];
      for (let from: string | null = null, pages = 0; pages === 0 || from !== null; pages += 1) {
        const page = await queues.due(NOW, (endpointId) => (isNeeded(endpointId) ? 1 : 0), from);
        found.push(...page.tasks.map(({ endpointId }) => endpointId));
        from = page.next;
      }
      return found;
    };
    expect(await visited(() => true)).toEqual(rows.map((row) => row.endpoint_id));
    expect(await visited((endpointId) => endpointId === id(2_400))).toEqual([id(2_400)]);
  });

  it('are as late as the oldest one that has not ended', async () => {
    const [queues, readModel] = [new DeliveryQueues(db), new DeliveryReadModel(db)];
    const [first, second] = [
      { ...failedRow('first', 0, EARLIER), due_at: EARLIER },
      { ...failedRow('second', 0, EARLIER), due_at: '2026-06-02T11:59:00.000Z' },
    ];
    await readModel.put([first, second]);
    expect(await queues.oldestDue(NOW)).toBe(EARLIER);
    await readModel.put([{ ...first, revision: 1, due_at: null }]);
    expect(await queues.oldestDue(NOW)).toBe(second.due_at);
    await readModel.put([{ ...second, revision: 1, due_at: '2026-06-02T12:00:00.001Z' }]);
    expect(await queues.oldestDue(NOW)).toBeNull();
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
