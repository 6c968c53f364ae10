import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { DeliveriesSchema, DeliveryRow } from '../deliveries/deliveries.read-model';
import type { JournalSchema } from './journal.read-model';

type EndedRow = Pick<DeliveryRow, 'id' | 'revision' | 'updated_at'>;

type Schema = DeliveriesSchema & JournalSchema;

/** Deliveries per transaction. Each has up to some dozens of journal events. */
export const OLD_DELIVERIES_BATCH = 200;

/**
 * Deletes old deliveries with their journal events, in batches, so that no statement depends on how many there are. The
 * row of a delivery goes together with its events: a journal without a row belongs to a row that is still missing.
 */
@Injectable()
export class OldDeliveries {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(READ_MODELS) readModels: Kysely<unknown>) {
    this.db = readModels as Kysely<Schema>;
  }

  /** Deletes deliveries that have ended and have not changed since a time (ISO 8601). */
  async deleteBefore(time: string, signal?: AbortSignal): Promise<void> {
    for (let last: EndedRow | undefined; !signal?.aborted;) {
      const batch = await this.endedBefore(time, last);
      const ids = await this.upToDate(batch);
      if (ids.length > 0) await this.delete(ids, time);
      if (batch.length < OLD_DELIVERIES_BATCH) return;
      last = batch.at(-1);
      // The embedded database does not yield to the event loop.
      await nextTurn();
    }
  }

  private async endedBefore(time: string, after: EndedRow | undefined): Promise<EndedRow[]> {
    let query = this.db
      .selectFrom('webhook_deliveries')
      .select(['id', 'revision', 'updated_at'])
      .where('updated_at', '<', time)
      .where('due_at', 'is', null);
    if (after)
      query = query
        .where('updated_at', '>=', after.updated_at)
        .where(sql<boolean>`NOT (updated_at = ${after.updated_at} AND id <= ${after.id})`);
    return query.orderBy('updated_at').orderBy('id').limit(OLD_DELIVERIES_BATCH).execute();
  }

  /** The deliveries whose rows are not behind the journal, in which they may have been replayed since. */
  private async upToDate(rows: readonly EndedRow[]): Promise<string[]> {
    if (rows.length === 0) return [];
    const journaled = await this.db
      .selectFrom('webhook_delivery_journal')
      .select(({ fn }) => ['delivery_id', fn.max('revision').as('revision')])
      .where(
        'delivery_id',
        'in',
        rows.map(({ id }) => id),
      )
      .groupBy('delivery_id')
      .execute();
    const highest = new Map(journaled.map((row) => [row.delivery_id, Number(row.revision)]));
    return rows.filter(({ id, revision }) => (highest.get(id) ?? -1) <= Number(revision)).map(({ id }) => id);
  }

  /** The conditions on the ids inside `exists` bound what a planner can decide to read. */
  private async delete(ids: readonly string[], time: string): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom('webhook_delivery_journal')
        .where('delivery_id', 'in', ids)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('webhook_delivery_journal as newer')
                .select('newer.revision')
                .whereRef('newer.delivery_id', '=', 'webhook_delivery_journal.delivery_id')
                .where('newer.delivery_id', 'in', ids)
                .where('newer.at', '>=', time),
            ),
          ),
        )
        .execute();
      await trx
        .deleteFrom('webhook_deliveries')
        .where('id', 'in', ids)
        .where('updated_at', '<', time)
        .where('due_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('webhook_delivery_journal as j')
                .select('j.revision')
                .whereRef('j.delivery_id', '=', 'webhook_deliveries.id')
                .where('j.delivery_id', 'in', ids),
            ),
          ),
        )
        .execute();
    });
  }
}
