import type { RebuildableView } from '@ponte/engines';
import { StreamFolds } from '@ponte/event-sourcing';
import { order } from '../domain/order/order';
import { rowOf } from '../views/orders';
import { KyselyOrderRows } from './order-rows/kysely';

/** Names the projector that keeps the view up to date. */
export const ORDERS_READER = 'orders-view';

/** What this service shows, and how it is made anew. */
export const ORDERS_VIEWS: readonly RebuildableView[] = [{
  name: ORDERS_READER,
  reader: ORDERS_READER,
  categories: [order.category],
  tables: ['orders'],
  async open(db, store) {
    const rows = new KyselyOrderRows(db);
    await rows.onModuleInit();
    const folds = new StreamFolds(order, store);
    return {
      async apply({ events }) {
        await rows.putAll([...await folds.add(events)].flatMap(([, { state, revision }]) => rowOf(state, revision) ?? []));
      },
    };
  },
}];
