import type { Kysely } from 'kysely';
import type { WebhookDeliveryState, WebhookEventType } from '@ponte/contracts';
import type { Task } from '../dispatch/deliveries';
import type { DueDeliveries, DuePage } from '../dispatch/due-deliveries';
import type { ScheduledDelivery } from '../domain/delivery/delivery';
import { hasEnded } from '../domain/delivery/delivery';
import { orderWaitEnds } from '../domain/delivery/retry-schedule';

export interface DeliveryRow {
  readonly id: string;
  readonly revision: number;
  readonly account_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: WebhookEventType;
  readonly after_id: string | null;
  readonly state: WebhookDeliveryState;
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

export interface WebhooksSchema {
  readonly webhook_queues: QueueRow;
  readonly webhook_deliveries: DeliveryRow;
  readonly webhook_failing_endpoints: FailingEndpointRow;
}

/**
 * The row of a folded delivery. One that waits for another is looked at when its wait ends, unless that other one ends
 * first. One that is under way is always due: whoever sends it knows, and nobody else does after a crash.
 */
export function deliveryRow(delivery: ScheduledDelivery, revision: number, waits: boolean): DeliveryRow {
  return {
    id: delivery.deliveryId, revision, account_id: delivery.accountId, endpoint_id: delivery.endpointId,
    event_id: delivery.eventId, event_type: delivery.eventType, after_id: delivery.after,
    state: delivery.status, attempts: delivery.attempts, due_at: dueAt(delivery, waits),
    created_at: delivery.scheduledAt, updated_at: delivery.updatedAt,
  };
}

function dueAt(delivery: ScheduledDelivery, waits: boolean): string | null {
  if (hasEnded(delivery)) return null;
  if (delivery.status !== 'pending') return delivery.updatedAt;
  return waits && delivery.attempts === 0 ? orderWaitEnds(delivery.scheduledAt) : delivery.dueAt;
}

/** Endpoints of one page of a scan. */
const ENDPOINTS_A_PAGE = 64;
/** Deliveries of one endpoint in one scan: more than it may have in memory before it counts as busy. */
const DUE_OF_AN_ENDPOINT = 256;

export class DeliveriesView implements DueDeliveries {
  constructor(private readonly db: Kysely<WebhooksSchema>) {}

  async due(now: string, withoutEndpoints: readonly string[], from: string | null): Promise<DuePage> {
    let query = this.db.selectFrom('webhook_queues').select('endpoint_id').where('next_due', '<=', now).orderBy('endpoint_id').limit(ENDPOINTS_A_PAGE);
    if (from !== null) query = query.where('endpoint_id', '>', from);
    if (withoutEndpoints.length > 0) query = query.where('endpoint_id', 'not in', withoutEndpoints);
    const endpointIds = (await query.execute()).map((row) => row.endpoint_id);
    const tasks: Task[] = [];
    for (const endpointId of endpointIds) tasks.push(...await this.dueOf(endpointId, now));
    return { tasks, next: endpointIds.length < ENDPOINTS_A_PAGE ? null : endpointIds.at(-1) ?? null };
  }

  /** Since when the delivery that has waited longest is due; null when none is. Queues are few, and each names its earliest. */
  async oldestDue(now: string): Promise<string | null> {
    const oldest = await this.db.selectFrom('webhook_queues').select(({ fn }) => fn.min('next_due').as('due')).where('next_due', '<=', now).executeTakeFirst();
    return oldest?.due ?? null;
  }

  private async dueOf(endpointId: string, now: string): Promise<Task[]> {
    const rows = await this.db.selectFrom('webhook_deliveries').select(['id', 'account_id', 'after_id'])
      .where('endpoint_id', '=', endpointId).where('due_at', '<=', now).orderBy('due_at').limit(DUE_OF_AN_ENDPOINT).execute();
    if (rows.length === 0) await this.lookLater(endpointId);
    return rows.map((row) => ({ deliveryId: row.id, endpointId, accountId: row.account_id, after: row.after_id }));
  }

  /**
   * Nothing is due: the endpoint is looked at again when its next delivery is, or not at all. The queue's row is locked before the deliveries
   * are read. Whoever writes a delivery looks at the queue afterwards and waits for that lock, so no delivery slips by, also where a statement
   * sees only what was committed before it began.
   */
  private async lookLater(endpointId: string): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      await trx.updateTable('webhook_queues').set(({ ref }) => ({ next_due: ref('next_due') })).where('endpoint_id', '=', endpointId).execute();
      const next = await trx.selectFrom('webhook_deliveries').select(({ fn }) => fn.min('due_at').as('due'))
        .where('endpoint_id', '=', endpointId).where('due_at', 'is not', null).executeTakeFirst();
      if (next?.due) await trx.updateTable('webhook_queues').set({ next_due: next.due }).where('endpoint_id', '=', endpointId).execute();
      else await trx.deleteFrom('webhook_queues').where('endpoint_id', '=', endpointId).execute();
    });
  }

  /** A row is replaced by a later revision alone. */
  async put(rows: readonly DeliveryRow[]): Promise<void> {
    await this.db.insertInto('webhook_deliveries').values(rows)
      .onConflict((conflict) => conflict.column('id').doUpdateSet((row) => ({
        revision: row.ref('excluded.revision'), state: row.ref('excluded.state'), attempts: row.ref('excluded.attempts'),
        due_at: row.ref('excluded.due_at'), updated_at: row.ref('excluded.updated_at'),
      })).whereRef('webhook_deliveries.revision', '<', 'excluded.revision'))
      .execute();
    await this.lookAt(rows.flatMap(({ endpoint_id, due_at }) => (due_at === null ? [] : [{ endpoint_id, next_due: due_at }])));
  }

  /** What waited for these need not wait any longer. */
  async release(ended: readonly DeliveryRow[]): Promise<void> {
    const released = await this.db.updateTable('webhook_deliveries').set((row) => ({ due_at: row.ref('created_at') }))
      .where('after_id', 'in', ended.map(({ id }) => id)).where('state', '=', 'pending').where('attempts', '=', 0).executeTakeFirst();
    if (released.numUpdatedRows > 0n) await this.lookAt(ended.map(({ endpoint_id, created_at }) => ({ endpoint_id, next_due: created_at })));
  }

  /** The rows come first, so that a queue that names nothing is only looked at in vain. */
  async lookAt(queues: readonly QueueRow[]): Promise<void> {
    const earliest = new Map<string, QueueRow>();
    for (const queue of queues) {
      const known = earliest.get(queue.endpoint_id);
      if (!known || queue.next_due < known.next_due) earliest.set(queue.endpoint_id, queue);
    }
    if (earliest.size === 0) return;
    await this.db.insertInto('webhook_queues').values([...earliest.values()])
      .onConflict((conflict) => conflict.column('endpoint_id').doUpdateSet((row) => ({ next_due: row.ref('excluded.next_due') }))
        .whereRef('webhook_queues.next_due', '>', 'excluded.next_due'))
      .execute();
  }

  async failingSince(endpointIds: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.db.selectFrom('webhook_failing_endpoints').selectAll().where('endpoint_id', 'in', endpointIds).execute();
    return new Map(rows.map((row) => [row.endpoint_id, row.failing_since]));
  }

  async markFailing(endpointId: string, since: string): Promise<void> {
    await this.db.insertInto('webhook_failing_endpoints').values({ endpoint_id: endpointId, failing_since: since })
      .onConflict((conflict) => conflict.column('endpoint_id').doUpdateSet({ failing_since: since })).execute();
  }

  /** Those that fail, and no others. */
  async setFailing(since: ReadonlyMap<string, string>): Promise<void> {
    await this.db.deleteFrom('webhook_failing_endpoints').execute();
    for (const [endpointId, at] of since) await this.markFailing(endpointId, at);
  }

  async markWell(endpointId: string): Promise<void> {
    await this.db.deleteFrom('webhook_failing_endpoints').where('endpoint_id', '=', endpointId).execute();
  }
}
