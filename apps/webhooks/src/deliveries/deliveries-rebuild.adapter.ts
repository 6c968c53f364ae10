import type { DeliveryEvent } from '@ponte/contracts';
import type { Filling, RebuildableView } from '@ponte/read-models';
import { rowWriter } from '@ponte/read-models';
import type { EventStore, LogSlice, Recorded } from '@ponte/event-sourcing';
import { StreamFolds } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Delivery } from './delivery.state';
import { deliveryDecider } from './delivery.decider';
import { hasEnded } from './delivery.state';
import type { DeliveryRow, WebhooksSchema } from './deliveries.read-model';
import { DeliveriesView, deliveryRow } from './deliveries.read-model';
import { DELIVERY_SOURCES } from './deliveries-projection';
import { createDeliveryTables } from './delivery.table';

/** Names the projector that keeps the view up to date. */
export const DELIVERIES_READER = 'webhook-deliveries';

const COLUMNS = [
  'id',
  'revision',
  'account_id',
  'endpoint_id',
  'event_id',
  'event_type',
  'resource_type',
  'resource_id',
  'after_id',
  'state',
  'attempts',
  'due_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof DeliveryRow)[];
const valuesOf = (row: DeliveryRow): unknown[] => COLUMNS.map((name) => row[name]);

const writersOf = (db: Kysely<unknown>) => ({
  newer: rowWriter(db, 'webhook_deliveries', COLUMNS, sql<boolean>`webhook_deliveries.revision < excluded.revision`),
  /** What a delivery waits for may have ended without an event of its own. */
  any: rowWriter(db, 'webhook_deliveries', COLUMNS, sql<boolean>`webhook_deliveries.revision <= excluded.revision`),
});
type Writers = ReturnType<typeof writersOf>;

/**
 * Fills the rows of the deliveries. What has not ended is written when the log was read to its end: until then nearly
 * all of it ends, and what it waits for too. What is only in the journal is written by the service
 * (`JournaledStore.settle`). No one is sent anything here and no endpoint is disabled; that was done when the answers
 * came. The list of failing endpoints stays as it is: the log does not hold every answer.
 */
class DeliveriesFilling implements Filling {
  private readonly folds: StreamFolds<Delivery, DeliveryEvent>;
  private readonly open = new Set<string>();

  constructor(
    private readonly view: DeliveriesView,
    private readonly write: Writers,
    store: EventStore,
  ) {
    this.folds = new StreamFolds(deliveryDecider, store);
  }

  async apply({ events }: LogSlice): Promise<void> {
    const ours = events as readonly Recorded<DeliveryEvent>[];
    const rows: DeliveryRow[] = [];
    for (const [id, { state, revision }] of await this.folds.add(ours)) {
      if (state.status === 'unscheduled') continue;
      if (hasEnded(state)) {
        rows.push(deliveryRow(state, revision, false));
        this.open.delete(id);
      } else this.open.add(id);
    }
    await this.write.newer(rows.map(valuesOf));
  }

  async settle(): Promise<void> {
    for (const id of this.open) {
      const { state, revision } = await this.folds.of(id);
      if (state.status === 'unscheduled') continue;
      const { after } = state;
      const waits = !hasEnded(state) && after !== null && !hasEnded((await this.folds.of(after)).state);
      const row = deliveryRow(state, revision, waits);
      await this.write.any([valuesOf(row)]);
      if (row.due_at !== null) await this.view.lookAt([{ endpoint_id: row.endpoint_id, next_due: row.due_at }]);
    }
  }
}

/**
 * What this service shows, and how it is rebuilt. The outboxes are no view: they are events, and the record of what was
 * told.
 */
export const WEBHOOKS_VIEWS: readonly RebuildableView[] = [
  {
    name: DELIVERIES_READER,
    reader: DELIVERIES_READER,
    categories: DELIVERY_SOURCES,
    tables: ['webhook_deliveries', 'webhook_queues'],
    async open(db, store) {
      const schema = db as Kysely<WebhooksSchema>;
      await createDeliveryTables(schema);
      return new DeliveriesFilling(new DeliveriesView(schema), writersOf(db), store);
    },
  },
];
