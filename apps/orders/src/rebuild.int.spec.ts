import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { READ_MODELS } from '@ponte/nest';
import { MemoryEventStore, eventually, freshId, rebuiltRows, shownRows } from '@ponte/testing';
import type { Kysely } from 'kysely';
import { ORDER_DECISIONS } from './order/order-decisions.read-model';
import { ORDERS_REBUILDABLE } from './orders.read-models';
import type { Tools } from './testing/cluster';
import { Cluster } from './testing/cluster';

const tools: Tools<MemoryEventStore> = {
  open: (soleWriter, before) => new MemoryEventStore({ soleWriter, log: before?.log }),
  eventually,
  freshId,
};

describe('the list of orders', () => {
  it('has the same rows after a rebuild as after the commands', async () => {
    const cluster = new Cluster(tools);
    await cluster.boot();
    const [first, second] = [await cluster.place(cluster.quote()), await cluster.place(cluster.quote())];
    await cluster.settles(first.id);
    await cluster.reaches(first.id, 'completed');
    const shown = await shownRows(cluster.running[0]?.app.get<Kysely<unknown>>(READ_MODELS), [
      'orders',
      ORDER_DECISIONS,
    ]);
    const db = openSqliteReadModels<unknown>(':memory:');
    expect(shown['orders']?.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
    expect(await rebuiltRows(ORDERS_REBUILDABLE, db, cluster.store)).toEqual(shown);
    await db.destroy();
    await cluster.stop();
  });
});
