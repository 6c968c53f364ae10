import type { DeliveryEvent } from '@ponte/contracts';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import { StreamFolds } from '@ponte/event-sourcing';
import { addSeconds, isoTime } from '@ponte/kernel';
import { rebuildableReadModels } from '@ponte/nest';
import type { PartFilling } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { LOG_RETENTION_SECONDS } from '../endpoints/endpoint-changes.domain';
import { JournalReader } from '../journal/journal-reader';
import { JournaledStore } from '../journal/journaled-store.service';
import { RowSettler } from '../journal/row-settler.service';
import { DELIVERY_SOURCES, showDeliveries } from './deliveries-projection';
import type { DeliveryRow } from './deliveries.read-model';
import { DeliveryReadModel, deliveryRow } from './deliveries.read-model';
import { deliveryDecider } from './delivery.decider';
import type { Delivery } from './delivery.state';
import { hasEnded } from './delivery.state';
import { createDeliveryTables } from './delivery-tables.adapter';

/** The name of the projector that keeps the read model of deliveries up to date. */
export const DELIVERIES_READER = 'webhook-deliveries';

/**
 * Rebuilds the rows of the deliveries from the log. Open deliveries are written only at the end of the log, because
 * nearly all of them, and the deliveries that they wait for, end before that. Rows of deliveries that are only in the
 * journal are written when the tables are in use ({@link addJournaled}). A rebuild sends nothing and disables no
 * endpoint: that was done when the outcomes were recorded. The table of failing endpoints is kept, because the log does
 * not contain every outcome.
 */
class DeliveriesFilling implements PartFilling {
  private readonly readModel: DeliveryReadModel;
  private readonly folds: StreamFolds<Delivery, DeliveryEvent>;
  private readonly open = new Set<string>();
  /**
   * Whether open deliveries have been written. From then on, a delivery that ends may release others that wait for it.
   */
  private isShown = false;
  /** Deliveries that ended before are left out: `DeleteOldDeliveries` would delete their rows again. */
  private readonly oldest = addSeconds(isoTime(Date.now()), -LOG_RETENTION_SECONDS);

  constructor(db: Kysely<unknown>, store: Pick<EventStore, 'read'>) {
    this.readModel = new DeliveryReadModel(db);
    this.folds = new StreamFolds(deliveryDecider, store);
  }

  async fold(events: readonly Recorded[]): Promise<() => Promise<void>> {
    const ended: DeliveryRow[] = [];
    for (const [id, { state, revision }] of await this.folds.add(events)) {
      if (state.status === 'unscheduled') continue;
      if (hasEnded(state)) {
        if (state.updatedAt >= this.oldest) ended.push(deliveryRow(state, revision, false));
        this.open.delete(id);
      } else this.open.add(id);
    }
    return async () => {
      await this.readModel.put(ended);
      if (this.isShown && ended.length > 0) await this.readModel.release(ended);
    };
  }

  async complete(): Promise<void> {
    this.isShown = true;
    for (const id of this.open) {
      const { state, revision } = await this.folds.of(id);
      if (state.status === 'unscheduled') continue;
      const { after } = state;
      const waits = !hasEnded(state) && after !== null && !hasEnded((await this.folds.of(after)).state);
      await this.readModel.put([deliveryRow(state, revision, waits)]);
    }
  }
}

/** Writes the rows of the deliveries that are only in the journal, which is in the database in use. */
async function addJournaled(db: Kysely<unknown>, store: EventStore): Promise<void> {
  const journal = new JournaledStore(store, db);
  const [readModel, reader] = [new DeliveryReadModel(db), new JournalReader(journal)];
  journal.listen(
    async () => undefined,
    (events) => showDeliveries(readModel, events, reader),
  );
  await new RowSettler(journal, db).settleAll();
}

/** The read models of this service. Outboxes are not read models but the only record of what was published. */
export const WEBHOOKS_REBUILDABLE = rebuildableReadModels([
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
]).map((one) => ({ ...one, complement: addJournaled }));
