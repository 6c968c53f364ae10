import type { StreamStore } from '@ponte/event-sourcing';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { JournaledStore } from './journaled-store';
import { atOnce, events } from '../testing/delivery-events';
import { CHILD } from '../testing/fixtures';
import { createDeliveryTables } from '../deliveries/delivery-tables.adapter';
import { DeliveryRecords } from '../deliveries/delivery-records';

const DELIVERIES = 50;
const MOST_AT_ONCE = 4;

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
    expect(most).toBe(MOST_AT_ONCE);
    await db.destroy();
  });
});
