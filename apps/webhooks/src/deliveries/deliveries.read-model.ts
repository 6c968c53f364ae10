import { Inject, Injectable } from '@nestjs/common';
import type {
  DeliveryFilters,
  PageCursor,
  PageRequest,
  WebhookDeliveryState,
  WebhookEventType,
} from '@ponte/contracts';
import { VIEWS } from '@ponte/nest';
import type { ViewRow, ViewTable } from '@ponte/read-models';
import { createViewTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { DeliveryQueues } from '../dispatch/delivery-queues.read-model';
import type { ScheduledDelivery } from './delivery.state';
import { hasEnded } from './delivery.state';
import { orderWaitEnds } from './retry-schedule.domain';

export interface DeliveryRow extends ViewRow {
  readonly account_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: WebhookEventType;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly after_id: string | null;
  readonly state: WebhookDeliveryState;
  /** Since it was scheduled or last replayed. */
  readonly attempts: number;
  /** When it must be looked at, null when it has ended. */
  readonly due_at: string | null;
  readonly updated_at: string;
}

export interface DeliveriesSchema {
  readonly webhook_deliveries: DeliveryRow;
}

/** An endpoint finds its deliveries by the time they are due. */
export const deliveriesTable = (db: Kysely<unknown>): ViewTable<DeliveryRow> =>
  createViewTable<DeliveryRow>({
    db,
    table: 'webhook_deliveries',
    columns: {
      account_id: 'text',
      endpoint_id: 'text',
      event_id: 'text',
      event_type: 'text',
      resource_type: 'text?',
      resource_id: 'text?',
      after_id: 'text?',
      state: 'text',
      attempts: 'integer',
      due_at: 'text?',
      updated_at: 'text',
    },
    indices: [['endpoint_id']],
    lookups: [['updated_at'], ['endpoint_id', 'due_at'], ['after_id']],
  });

/**
 * The row of a folded delivery. One that waits for another is looked at when its wait ends, unless that other one ends
 * first. A running one is always due: only its sender knows of it, and after a crash it has to be sent again.
 */
export function deliveryRow(delivery: ScheduledDelivery, revision: number, waits: boolean): DeliveryRow {
  return {
    id: delivery.deliveryId,
    revision,
    account_id: delivery.accountId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    resource_type: delivery.resource?.type ?? null,
    resource_id: delivery.resource?.id ?? null,
    after_id: delivery.after,
    state: delivery.status,
    attempts: delivery.attempts - delivery.attemptsBefore,
    due_at: dueAt(delivery, waits),
    created_at: delivery.scheduledAt,
    updated_at: delivery.updatedAt,
  };
}

function dueAt(delivery: ScheduledDelivery, waits: boolean): string | null {
  if (hasEnded(delivery)) return null;
  if (delivery.status !== 'pending') return delivery.updatedAt;
  return waits && delivery.attempts === delivery.attemptsBefore ? orderWaitEnds(delivery.waitsSince) : delivery.dueAt;
}

/**
 * The deliveries of endpoints, from the log and from the journal. When a row is due depends on other deliveries, too:
 * so this is not a read model of the states of one kind of stream.
 */
@Injectable()
export class DeliveriesView {
  readonly queues: DeliveryQueues;
  private readonly table: ViewTable<DeliveryRow>;
  private readonly db: Kysely<DeliveriesSchema>;

  constructor(@Inject(VIEWS) views: Kysely<unknown>) {
    this.queues = new DeliveryQueues(views);
    this.table = deliveriesTable(views);
    this.db = views as Kysely<DeliveriesSchema>;
  }

  /** A row is replaced by a later revision alone. */
  async put(rows: readonly DeliveryRow[]): Promise<void> {
    await this.table.putAll(rows);
    await this.queues.lookAt(
      rows.flatMap(({ endpoint_id, due_at }) => (due_at === null ? [] : [{ endpoint_id, next_due: due_at }])),
    );
  }

  /** What waited for these need not wait any longer. */
  async release(ended: readonly DeliveryRow[]): Promise<void> {
    const released = await this.db
      .updateTable('webhook_deliveries')
      .set((row) => ({ due_at: row.ref('created_at') }))
      .where(
        'after_id',
        'in',
        ended.map(({ id }) => id),
      )
      .where('state', '=', 'pending')
      .where('attempts', '=', 0)
      .executeTakeFirst();
    if (released.numUpdatedRows > 0n)
      await this.queues.lookAt(ended.map(({ endpoint_id, created_at }) => ({ endpoint_id, next_due: created_at })));
  }

  /** Ids of an endpoint's deliveries, newest first by (created-at, id). */
  async page(
    endpointId: string,
    { state, eventType, resourceType, resourceId }: DeliveryFilters,
    page: PageRequest,
  ): Promise<{ ids: string[]; next: PageCursor | null }> {
    const filters = { state, event_type: eventType, resource_type: resourceType, resource_id: resourceId };
    const { items, next } = await this.table.page({ where: { endpoint_id: endpointId }, filters, page });
    return { ids: items.map(({ id }) => id), next };
  }

  /** Rows of deliveries that have ended and have not changed since a time (ISO 8601). */
  async deleteEndedBefore(time: string): Promise<void> {
    await this.db.deleteFrom('webhook_deliveries').where('updated_at', '<', time).where('due_at', 'is', null).execute();
  }

  /** Of an endpoint: how many deliveries are pending and how many failed, and their attempts. */
  async openOf(
    endpointId: string,
  ): Promise<{ readonly pending: number; readonly failed: number; readonly attempts: number }> {
    const rows = await this.db
      .selectFrom('webhook_deliveries')
      .select(['state', ({ fn }) => fn.countAll().as('count'), ({ fn }) => fn.sum('attempts').as('attempts')])
      .where('endpoint_id', '=', endpointId)
      .where('state', '!=', 'succeeded')
      .groupBy('state')
      .execute();
    const of = (failed: boolean, key: 'count' | 'attempts'): number =>
      rows.filter(({ state }) => (state === 'failed') === failed).reduce((sum, row) => sum + Number(row[key]), 0);
    return {
      pending: of(false, 'count'),
      failed: of(true, 'count'),
      attempts: of(false, 'attempts') + of(true, 'attempts'),
    };
  }
}
