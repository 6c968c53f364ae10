import type { RebuildableView } from '@ponte/read-models';
import { StreamFolds } from '@ponte/event-sourcing';
import { order } from '../domain/order/order';
import { rowOf } from '../views/orders';
import { KyselyOrderReadModel } from './order-read-model/kysely';

/** Names the projector that keeps the view up to date. */
export const ORDERS_READER = 'orders-view';

/** What this service shows, and how it is rebuilt. */
export const ORDERS_VIEWS: readonly RebuildableView[] = [
  {
    name: ORDERS_READER,
    reader: ORDERS_READER,
    categories: [order.category],
    tables: ['orders'],
    async open(db, store) {
      const readModel = new KyselyOrderReadModel(db);
      await readModel.onModuleInit();
      const folds = new StreamFolds(order, store);
      return {
        async apply({ events }) {
          await readModel.putAll(
            [...(await folds.add(events))].flatMap(([, { state, revision }]) => rowOf(state, revision) ?? []),
          );
        },
      };
    },
  },
];
