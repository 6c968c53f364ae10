import { Inject, Injectable } from '@nestjs/common';
import type {
  DeliveryFilters,
  PageCursor,
  PageRequest,
  WebhookDeliveryState,
  WebhookEventType,
} from '@ponte/contracts';
import { READ_MODELS } from '@ponte/nest';
import type { ReadModelRow, ReadModelTable } from '@ponte/read-models';
import { createReadModelTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { DeliveryQueues } from '../dispatch/delivery-queues.read-model';
import type { ScheduledDelivery } from './delivery.state';
import { hasEnded } from './delivery.state';
import { orderWaitEnds } from './retry-schedule.domain';

export interface DeliveryRow extends ReadModelRow {
  readonly account_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: WebhookEventType;
  readonly resource_type: string | null;
  readonly resource_id: string | null;
  readonly after_id: string | null;
  readonly state: WebhookDeliveryState;
  /** Attempts since the delivery was scheduled or last replayed. */
  readonly attempts: number;
  /** When the dispatcher must process the delivery next; null when it has ended. */
  readonly due_at: string | null;
  readonly updated_at: string;
}

export interface DeliveriesSchema {
  readonly webhook_deliveries: DeliveryRow;
}

/** The lookup by endpoint and due time serves {@link DeliveryQueues}. */
export const deliveriesTable = (db: Kysely<unknown>): ReadModelTable<DeliveryRow> =>
  createReadModelTable<DeliveryRow>({
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
    indices: [['endpoint_id'], ['endpoint_id', 'state']],
    lookups: [['updated_at'], ['endpoint_id', 'due_at'], ['after_id']],
  });

/**
 * The row of a folded delivery. A delivery that waits for another is due when the wait times out, unless the other one
 * ends first. A running one is always due: only its sender knows about it, and after a crash it is sent again.
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
 * The read model of deliveries, from the log and from the journal. It is not derived from single streams alone, because
 * the due time of a row may depend on another delivery.
 */
@Injectable()
export class DeliveryReadModel {
  readonly queues: DeliveryQueues;
  private readonly table: ReadModelTable<DeliveryRow>;
  private readonly db: Kysely<DeliveriesSchema>;

  constructor(@Inject(READ_MODELS) readModels: Kysely<unknown>) {
    this.queues = new DeliveryQueues(readModels);
    this.table = deliveriesTable(readModels);
    this.db = readModels as Kysely<DeliveriesSchema>;
  }

  /** Inserts or updates rows. An existing row is replaced only by a later revision. */
  async put(rows: readonly DeliveryRow[]): Promise<void> {
    await this.table.putAll(rows);
    await this.queues.lookAt(
      rows.flatMap(({ endpoint_id, due_at }) => (due_at === null ? [] : [{ endpoint_id, next_due: due_at }])),
    );
  }

  /** Makes the deliveries that waited for these due at once. */
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

  /** An endpoint's deliveries, newest first by (created-at, id): their ids and rows. */
  async page(
    endpointId: string,
    { state, eventType, resourceType, resourceId }: DeliveryFilters,
    page: PageRequest,
  ): Promise<{ ids: string[]; rows: readonly DeliveryRow[]; next: PageCursor | null }> {
    const filters = { state, event_type: eventType, resource_type: resourceType, resource_id: resourceId };
    const { items, next } = await this.table.page({ where: { endpoint_id: endpointId }, filters, page });
    return { ids: items.map(({ id }) => id), rows: items, next };
  }

  /**
   * Counts the open (pending or running) deliveries of an endpoint and those that were created since a time (ISO 8601)
   * and failed, with the sum of the attempts of both. Reads only such rows and the successes since that time.
   */
  async openOf(
    endpointId: string,
    since: string,
  ): Promise<{ readonly pending: number; readonly failed: number; readonly attempts: number }> {
    const counted = () =>
      this.db
        .selectFrom('webhook_deliveries')
        .select([({ fn }) => fn.countAll().as('count'), ({ fn }) => fn.sum('attempts').as('attempts')])
        .where('endpoint_id', '=', endpointId);
    // Not `is not null`, for which SQLite does not use the index on the due time.
    const open = await counted().where('due_at', '>', '').executeTakeFirst();
    const failed = await counted().where('created_at', '>=', since).where('state', '=', 'failed').executeTakeFirst();
    return {
      pending: Number(open?.count ?? 0),
      failed: Number(failed?.count ?? 0),
      attempts: Number(open?.attempts ?? 0) + Number(failed?.attempts ?? 0),
    };
  }
}
