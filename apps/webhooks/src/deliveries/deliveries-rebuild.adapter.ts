import type { DeliveryEvent } from '@ponte/contracts';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { StreamFolds } from '@ponte/event-sourcing';
import { rebuildableViews } from '@ponte/nest';
import type { PartFilling } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { DELIVERY_SOURCES } from './deliveries-projection';
import type { DeliveryRow } from './deliveries.read-model';
import { DeliveriesView, deliveryRow } from './deliveries.read-model';
import { deliveryDecider } from './delivery.decider';
import type { Delivery } from './delivery.state';
import { hasEnded } from './delivery.state';
import { createDeliveryTables } from './delivery-tables.adapter';

/** Names the projector that keeps the view up to date. */
export const DELIVERIES_READER = 'webhook-deliveries';

/**
 * Fills the rows of the deliveries. What has not ended is written when the log was read to its end: until then nearly
 * all of it ends, and what it waits for too. What is only in the journal is written by the service
 * (`JournaledStore.settle`). Nothing is sent here and no endpoint is disabled; that was done when the answers came. The
 * list of failing endpoints stays as it is: the log does not hold every answer.
 */
class DeliveriesFilling implements PartFilling {
  private readonly view: DeliveriesView;
  private readonly folds: StreamFolds<Delivery, DeliveryEvent>;
  private readonly open = new Set<string>();
  /** Rows of deliveries that have not ended are there, and some of them may wait for others. */
  private isShown = false;

  constructor(db: Kysely<unknown>, store: Pick<EventStore, 'read'>) {
    this.view = new DeliveriesView(db);
    this.folds = new StreamFolds(deliveryDecider, store);
  }

  async fold(events: readonly Recorded[]): Promise<() => Promise<void>> {
    const ended: DeliveryRow[] = [];
    for (const [id, { state, revision }] of await this.folds.add(events)) {
      if (state.status === 'unscheduled') continue;
      if (hasEnded(state)) {
        ended.push(deliveryRow(state, revision, false));
        this.open.delete(id);
      } else this.open.add(id);
    }
    return async () => {
      await this.view.put(ended);
      if (this.isShown && ended.length > 0) await this.view.release(ended);
    };
  }

  async complete(): Promise<void> {
    this.isShown = true;
    for (const id of this.open) {
      const { state, revision } = await this.folds.of(id);
      if (state.status === 'unscheduled') continue;
      const { after } = state;
      const waits = !hasEnded(state) && after !== null && !hasEnded((await this.folds.of(after)).state);
      await this.view.put([deliveryRow(state, revision, waits)]);
    }
  }
}

/**
 * What this service shows, and how it is rebuilt. The outboxes are no view: they are events, and the record of what was
 * published.
 */
export const WEBHOOKS_VIEWS = rebuildableViews([
  {
    reader: DELIVERIES_READER,
    part: {
      tables: ['webhook_deliveries', 'webhook_queues'],
      version: 1,
      categories: DELIVERY_SOURCES,
      prepare: createDeliveryTables,
      open: (db, store) => new DeliveriesFilling(db, store),
    },
  },
]);
