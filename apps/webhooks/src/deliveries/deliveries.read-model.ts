import type { Kysely } from 'kysely';
import type {
  DeliveryFilters,
  PageCursor,
  PageRequest,
  WebhookDeliveryState,
  WebhookEventType,
} from '@ponte/contracts';
import type { Task } from '../dispatch/deliveries';
import type { JournalRow } from '../journal/journal-table';
import type { DueDeliveries, DuePage } from '../dispatch/due-deliveries';
import type { ScheduledDelivery } from './delivery.state';
import { hasEnded } from './delivery.state';
import { orderWaitEnds } from './retry-schedule.domain';

export interface DeliveryRow {
  readonly id: string;
  readonly revision: number;
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
  readonly created_at: string;
  readonly updated_at: string;
}

/** An endpoint that has failed and not succeeded since. */
export interface FailingEndpointRow {
  readonly endpoint_id: string;
  readonly failing_since: string;
}

/** An endpoint that has deliveries to look at, none of them before `next_due`. */
export interface QueueRow {
  readonly endpoint_id: string;
  readonly next_due: string;
}

/**
 * What is known of an attempt beyond its event. Kept for the owner of the endpoint to look at; nothing is decided by
 * it.
 */
export interface AttemptRow {
  readonly delivery_id: string;
  readonly attempt: number;
  readonly latency_ms: number;
  /** Sealed. */
  readonly response: string | null;
  readonly at: string;
}

export interface WebhooksSchema {
  readonly webhook_delivery_journal: JournalRow;
  readonly webhook_attempts: AttemptRow;
  readonly webhook_queues: QueueRow;
  readonly webhook_deliveries: DeliveryRow;
  readonly webhook_failing_endpoints: FailingEndpointRow;
}

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

/** Endpoints of one page of a scan. */
const ENDPOINTS_A_PAGE = 64;
/** Deliveries of one endpoint in one scan: more than it may have in memory before it counts as busy. */
const DUE_OF_AN_ENDPOINT = 256;

export class DeliveriesView implements DueDeliveries {
  constructor(private readonly db: Kysely<WebhooksSchema>) {}

  async due(now: string, withoutEndpoints: readonly string[], from: string | null): Promise<DuePage> {
    let query = this.db
      .selectFrom('webhook_queues')
      .select('endpoint_id')
      .where('next_due', '<=', now)
      .orderBy('endpoint_id')
      .limit(ENDPOINTS_A_PAGE);
    if (from !== null) query = query.where('endpoint_id', '>', from);
    if (withoutEndpoints.length > 0) query = query.where('endpoint_id', 'not in', withoutEndpoints);
    const endpointIds = (await query.execute()).map((row) => row.endpoint_id);
    const tasks: Task[] = [];
    for (const endpointId of endpointIds) tasks.push(...(await this.dueOf(endpointId, now)));
    return { tasks, next: endpointIds.length < ENDPOINTS_A_PAGE ? null : (endpointIds.at(-1) ?? null) };
  }

  /**
   * Since when the delivery that has waited longest is due; null when none is. Queues are few, and each names its
   * earliest.
   */
  async oldestDue(now: string): Promise<string | null> {
    const oldest = await this.db
      .selectFrom('webhook_queues')
      .select(({ fn }) => fn.min('next_due').as('due'))
      .where('next_due', '<=', now)
      .executeTakeFirst();
    return oldest?.due ?? null;
  }

  private async dueOf(endpointId: string, now: string): Promise<Task[]> {
    const rows = await this.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'account_id', 'after_id'])
      .where('endpoint_id', '=', endpointId)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(DUE_OF_AN_ENDPOINT)
      .execute();
    if (rows.length === 0) await this.lookLater(endpointId);
    return rows.map((row) => ({ deliveryId: row.id, endpointId, accountId: row.account_id, after: row.after_id }));
  }

  /**
   * Nothing is due: the endpoint is looked at again when its next delivery is, or not at all. The queue's row is locked
   * before the deliveries are read. A writer of a delivery reads the queue afterwards and waits for that lock, so no
   * delivery slips by, also where a statement sees only what was committed before it began.
   */
  private async lookLater(endpointId: string): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('webhook_queues')
        .set(({ ref }) => ({ next_due: ref('next_due') }))
        .where('endpoint_id', '=', endpointId)
        .execute();
      const next = await trx
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.min('due_at').as('due'))
        .where('endpoint_id', '=', endpointId)
        .where('due_at', 'is not', null)
        .executeTakeFirst();
      if (next?.due)
        await trx
          .updateTable('webhook_queues')
          .set({ next_due: next.due })
          .where('endpoint_id', '=', endpointId)
          .execute();
      else await trx.deleteFrom('webhook_queues').where('endpoint_id', '=', endpointId).execute();
    });
  }

  /** A row is replaced by a later revision alone. */
  async put(rows: readonly DeliveryRow[]): Promise<void> {
    await this.db
      .insertInto('webhook_deliveries')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((row) => ({
            revision: row.ref('excluded.revision'),
            state: row.ref('excluded.state'),
            attempts: row.ref('excluded.attempts'),
            due_at: row.ref('excluded.due_at'),
            after_id: row.ref('excluded.after_id'),
            updated_at: row.ref('excluded.updated_at'),
          }))
          .whereRef('webhook_deliveries.revision', '<', 'excluded.revision'),
      )
      .execute();
    await this.lookAt(
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
      await this.lookAt(ended.map(({ endpoint_id, created_at }) => ({ endpoint_id, next_due: created_at })));
  }

  /** The rows come first, so that a queue that names nothing is only looked at in vain. */
  async lookAt(queues: readonly QueueRow[]): Promise<void> {
    const earliest = new Map<string, QueueRow>();
    for (const queue of queues) {
      const known = earliest.get(queue.endpoint_id);
      if (!known || queue.next_due < known.next_due) earliest.set(queue.endpoint_id, queue);
    }
    if (earliest.size === 0) return;
    await this.db
      .insertInto('webhook_queues')
      .values([...earliest.values()])
      .onConflict((conflict) =>
        conflict
          .column('endpoint_id')
          .doUpdateSet((row) => ({ next_due: row.ref('excluded.next_due') }))
          .whereRef('webhook_queues.next_due', '>', 'excluded.next_due'),
      )
      .execute();
  }

  /** Ids of an endpoint's deliveries, newest first by (created-at, id). */
  async page(
    endpointId: string,
    filters: DeliveryFilters,
    { limit, cursor, createdFrom, createdTo }: PageRequest,
  ): Promise<{ ids: string[]; next: PageCursor | null }> {
    let query = this.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'created_at'])
      .where('endpoint_id', '=', endpointId);
    if (filters.state !== null) query = query.where('state', '=', filters.state);
    if (filters.eventType !== null) query = query.where('event_type', '=', filters.eventType);
    if (filters.resourceType !== null) query = query.where('resource_type', '=', filters.resourceType);
    if (filters.resourceId !== null) query = query.where('resource_id', '=', filters.resourceId);
    if (createdFrom !== null) query = query.where('created_at', '>=', createdFrom);
    if (createdTo !== null) query = query.where('created_at', '<=', createdTo);
    if (cursor !== null) {
      query = query.where(({ eb, and, or }) =>
        or([
          eb('created_at', '<', cursor.createdAt),
          and([eb('created_at', '=', cursor.createdAt), eb('id', '<', cursor.id)]),
        ]),
      );
    }
    const rows = await query
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    const last = rows[limit - 1];
    return {
      ids: rows.slice(0, limit).map(({ id }) => id),
      next: rows.length > limit && last ? { createdAt: last.created_at, id: last.id } : null,
    };
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

  async failingSince(endpointIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.db
      .selectFrom('webhook_failing_endpoints')
      .selectAll()
      .where('endpoint_id', 'in', endpointIds)
      .execute();
    return new Map(rows.map((row) => [row.endpoint_id, row.failing_since]));
  }

  async markFailing(endpointId: string, since: string): Promise<void> {
    await this.db
      .insertInto('webhook_failing_endpoints')
      .values({ endpoint_id: endpointId, failing_since: since })
      .onConflict((conflict) => conflict.column('endpoint_id').doUpdateSet({ failing_since: since }))
      .execute();
  }

  async markWell(endpointId: string): Promise<void> {
    await this.db.deleteFrom('webhook_failing_endpoints').where('endpoint_id', '=', endpointId).execute();
  }
}
