import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StreamStore } from '@ponte/event-sourcing';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { RootOperationNode } from 'kysely';
import { CompiledQuery, createQueryId } from 'kysely';
import { JournaledStore } from './journaled-store.service';
import { atOnce, events } from '../testing/delivery-events';
import { CHILD } from '../testing/fixtures';
import { createDeliveryTables } from '../deliveries/delivery-tables.adapter';
import { DeliveryRecords } from '../deliveries/delivery-records.service';
import { DeliveryReadModel, deliveryRow } from '../deliveries/deliveries.read-model';
import type { ListWebhookDeliveriesQuery } from '../deliveries/list-webhook-deliveries.query';
import { ListWebhookDeliveriesHandler } from '../deliveries/list-webhook-deliveries.query';

const DELIVERIES = 50;
const MAX_AT_ONCE = 4;

describe('a page of the deliveries of an endpoint', () => {
  it.each([
    ['failed' as const, 'endpoint_id_state (endpoint_id=? AND state=?)'],
    [null, 'endpoint_id (endpoint_id=?)'],
  ])('in the state %s is read by an index', async (state, index) => {
    const db = await openSqliteReadModels<unknown>(':memory:');
    await createDeliveryTables(db);
    const nodes: RootOperationNode[] = [];
    const recorded = db.withPlugin({
      transformQuery: ({ node }) => {
        nodes.push(node);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const filters = { state, eventType: null, resourceType: null, resourceId: null };
    const page = { limit: 200, cursor: null, createdFrom: null, createdTo: null };
    await new DeliveryReadModel(recorded).page('e', filters, page);
    const plans = nodes.map((node) => {
      const { sql, parameters } = db.getExecutor().compileQuery(node, createQueryId());
      return db.executeQuery<{ detail: string }>(CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`, [...parameters]));
    });
    const steps = (await Promise.all(plans)).flatMap(({ rows }) => rows.map(({ detail }) => detail));
    expect(steps).toEqual([`SEARCH webhook_deliveries USING INDEX webhook_deliveries_by_${index}`]);
    await db.destroy();
  });
});

describe('the records of a page of deliveries', () => {
  it('are read from the log a few at a time, in the order of the page', async () => {
    const db = await openSqliteReadModels<unknown>(':memory:');
    await createDeliveryTables(db);
    let [underWay, most] = [0, 0];
    const read: StreamStore['read'] = async (stream) => {
      most = Math.max(most, (underWay += 1));
      await new Promise(setImmediate);
      underWay -= 1;
      const [event] = events(atOnce(stream.slice('delivery-'.length)));
      return event ? [{ ...event, stream, revision: 0, position: '1' }] : [];
    };
    const records = new DeliveryRecords(new JournaledStore({ read } as StreamStore, db), {
      of: async () => [],
    } as never);
    const ids = Array.from({ length: DELIVERIES }, (_, at) => `d-${at}`);
    const pages = await Promise.all([records.of(CHILD, ids), records.of(CHILD, [...ids].reverse())]);
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([ids, [...ids].reverse()]);
    expect(most).toBe(MAX_AT_ONCE);
    await db.destroy();
  });

  it('that succeeded at once are those of the rows, with the notes of the attempts and without a read', async () => {
    const db = await openSqliteReadModels<unknown>(':memory:');
    await createDeliveryTables(db);
    let reads = 0;
    const read: StreamStore['read'] = async (stream) => {
      reads += 1;
      const [event] = events(atOnce(stream.slice('delivery-'.length)));
      return event ? [{ ...event, stream, revision: 0, position: '1' }] : [];
    };
    const note = { delivery_id: 'd-1', attempt: 1, latency_ms: 12, response: null };
    const store = new JournaledStore({ read } as StreamStore, db);
    const records = new DeliveryRecords(store, { of: async () => [note] } as never);
    const ids = ['d-1', 'd-2'];
    const readModel = new DeliveryReadModel(db);
    const folded = await Promise.all(ids.map((id) => records.read(CHILD, id)));
    await readModel.put(folded.flatMap((one) => (one ? [deliveryRow(one.delivery, 0, false)] : [])));
    const fromLog = await records.of(CHILD, ids);
    const endpointId = fromLog[0]?.endpointId ?? '';
    const filters = { state: null, eventType: null, resourceType: null, resourceId: null };
    const { rows } = await readModel.page(endpointId, filters, {
      ...{ limit: 200, cursor: null, createdFrom: null, createdTo: null },
    });
    expect(rows).toHaveLength(2);
    reads = 0;
    expect(await records.of(CHILD, ids, rows)).toEqual(fromLog);
    expect(reads).toBe(0);
    expect(await records.of('another account', ids, rows)).toEqual([]);
    await db.destroy();
  });
});

test('one page of an account is read at a time, so that many requests of one account do not delay the others', async () => {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const find = (accountId: string): Promise<null> => {
    begun.push(accountId);
    return new Promise((resolve) => waiting.push(() => resolve(null)));
  };
  const handler = new ListWebhookDeliveriesHandler({ find } as never, {} as never, {} as never, { now: () => 0 });
  const list = (accountId: string) =>
    handler.execute({ payload: { accountId }, context: {} } as unknown as ListWebhookDeliveriesQuery);
  const busy = Array.from({ length: 20 }, () => list('busy'));
  const other = list('other');
  expect(begun).toEqual(['busy', 'other']);
  waiting[1]?.();
  expect(await other).toBeNull();
  expect(begun).toHaveLength(2);
  while (begun.length < busy.length + 1) {
    for (const answer of waiting.splice(0)) answer();
    await nextTurn();
  }
  for (const answer of waiting) answer();
  expect(await Promise.all(busy)).toEqual(busy.map(() => null));
});
