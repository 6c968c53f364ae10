import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS } from '@ponte/nest';
import { addSeconds } from '@ponte/kernel';
import type { TableOptions } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import type { Task } from './delivery-task';

/** An endpoint with open deliveries, none of which is due before `next_due`. */
interface QueueRow {
  readonly endpoint_id: string;
  readonly next_due: string;
}

export const QUEUES_TABLE: TableOptions = {
  table: 'webhook_queues',
  columns: { endpoint_id: 'text', next_due: 'text' },
  key: ['endpoint_id'],
};

interface Schema {
  readonly webhook_queues: QueueRow;
  readonly webhook_deliveries: {
    readonly id: string;
    readonly account_id: string;
    readonly endpoint_id: string;
    readonly after_id: string | null;
    readonly due_at: string | null;
  };
  readonly webhook_failing_endpoints: { readonly endpoint_id: string; readonly last_failed_at: string | null };
}

interface DuePage {
  readonly tasks: readonly Task[];
  /** The `from` of the next page; null after the last endpoint. */
  readonly next: string | null;
}

/** The most endpoints of a page whose deliveries are read. */
const ENDPOINTS_PER_PAGE = 64;
/** The most endpoints of a page, with those that are passed over. */
const QUEUES_PER_PAGE = 1_024;
/** The most deliveries of one endpoint that are read at a time. */
export const DUE_PER_ENDPOINT = 256;
/** How many times the requested number is read, since some deliveries are queued or being sent already. */
const READ_TIMES = 4;
/** The most due deliveries of an endpoint that a scan reads to find one that is not set aside. */
const MAX_PASSED_OVER = 4_096;
/** A receiver that failed within this time is failing, in seconds. The last failure is recorded once an hour. */
const FAILING_SECONDS = 7_200;

/** The open deliveries, with one queue per endpoint. It may lag and then returns deliveries that have ended. */
@Injectable()
export class DeliveryQueues {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(READ_MODELS) readModels: Kysely<unknown>) {
    this.db = readModels as Kysely<Schema>;
  }

  /**
   * Returns the deliveries due at `now` (ISO 8601) of one page of endpoints. `toRead` returns how many deliveries of an
   * endpoint the caller can use; with 0 the endpoint is passed over. Per endpoint it returns the deliveries that have
   * been due longest, up to a limit, so the backlog of one endpoint neither delays the others nor makes their queries
   * more expensive. Deliveries that are set aside, because this process could not attempt them, are passed over, so
   * that they do not take the place of others.
   */
  async due(
    now: string,
    toRead: (endpointId: string) => number,
    from: string | null,
    isPostponed: (deliveryId: string) => boolean = () => false,
  ): Promise<DuePage> {
    let query = this.db
      .selectFrom('webhook_queues')
      .select('endpoint_id')
      .where('next_due', '<=', now)
      .orderBy('endpoint_id')
      .limit(QUEUES_PER_PAGE);
    if (from !== null) query = query.where('endpoint_id', '>', from);
    const endpointIds = (await query.execute()).map((row) => row.endpoint_id);
    const tasks: Task[] = [];
    let visited = 0;
    for (const endpointId of endpointIds) {
      const count = Math.min(DUE_PER_ENDPOINT, toRead(endpointId) * READ_TIMES);
      if (count === 0) continue;
      tasks.push(...(await this.dueOf(endpointId, now, count, isPostponed)));
      visited += 1;
      if (visited === ENDPOINTS_PER_PAGE) return { tasks, next: endpointId };
    }
    return { tasks, next: endpointIds.length < QUEUES_PER_PAGE ? null : (endpointIds.at(-1) ?? null) };
  }

  /**
   * The due time of the delivery that has been due longest; null when none is due. Leaves out endpoints that are
   * failing: few requests are sent to them, so their deliveries wait for the receiver. Cheap, since it reads one
   * delivery of each of the few queues. The time of a queue itself may be that of a delivery that has ended.
   */
  async oldestDue(now: string): Promise<string | null> {
    const oldest = this.db
      .selectFrom('webhook_queues')
      .select(({ selectFrom }) =>
        selectFrom('webhook_deliveries as delivery')
          .select(({ fn }) => fn.min('delivery.due_at').as('due'))
          .whereRef('delivery.endpoint_id', '=', 'webhook_queues.endpoint_id')
          .where('delivery.due_at', '<=', now)
          .as('due'),
      )
      .where('next_due', '<=', now)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('webhook_failing_endpoints as failing')
              .select('failing.endpoint_id')
              .whereRef('failing.endpoint_id', '=', 'webhook_queues.endpoint_id')
              .where('failing.last_failed_at', '>', addSeconds(now, -FAILING_SECONDS)),
          ),
        ),
      )
      .as('oldest');
    const { due } = await this.db
      .selectFrom(oldest)
      .select(({ fn }) => fn.min('oldest.due').as('due'))
      .executeTakeFirstOrThrow();
    return due;
  }

  /**
   * Makes sure that scans visit these endpoints from `next_due` on. Call it after the delivery rows are written; an
   * entry without due deliveries only costs one query.
   */
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

  private async dueOf(
    endpointId: string,
    now: string,
    count: number,
    isPostponed: (deliveryId: string) => boolean,
  ): Promise<Task[]> {
    const due = this.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'account_id', 'after_id'])
      .where('endpoint_id', '=', endpointId)
      .where('due_at', '<=', now)
      .orderBy('due_at');
    for (let offset = 0, limit = count; offset < MAX_PASSED_OVER; offset += limit, limit = DUE_PER_ENDPOINT) {
      const page = due.limit(limit);
      const rows = await (offset === 0 ? page : page.offset(offset)).execute();
      if (rows.length === 0 && offset === 0) await this.postponeQueue(endpointId);
      const found = rows.filter(({ id }) => !isPostponed(id));
      if (found.length > 0 || rows.length < limit)
        return found.map((row) => ({ deliveryId: row.id, endpointId, accountId: row.account_id, after: row.after_id }));
    }
    return [];
  }

  /**
   * Postpones the endpoint to its next due delivery, or removes its queue without one. The queue's row is locked before
   * the deliveries are read. A writer of a delivery updates the queue afterwards and waits for that lock, so no
   * delivery is missed, even if a statement sees only what was committed before it began.
   */
  private async postponeQueue(endpointId: string): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const queue = trx.updateTable('webhook_queues').where('endpoint_id', '=', endpointId);
      await queue.set(({ ref }) => ({ next_due: ref('next_due') })).execute();
      const next = await trx
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => fn.min('due_at').as('due'))
        .where('endpoint_id', '=', endpointId)
        .where('due_at', 'is not', null)
        .executeTakeFirst();
      if (next?.due) await queue.set({ next_due: next.due }).execute();
      else await trx.deleteFrom('webhook_queues').where('endpoint_id', '=', endpointId).execute();
    });
  }
}
