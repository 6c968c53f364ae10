import { Inject, Injectable } from '@nestjs/common';
import { READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { MOVEMENT_DECISIONS } from '../waiting-work/movement-decisions.read-model';

/** Transfers of both kinds that have not ended, as far as the lists know. */
@Injectable()
export class UnfinishedTransfers {
  constructor(@Inject(READ_MODELS) private readonly readModels: Kysely<unknown>) {}

  /**
   * Pages of the ids of those that were created by this time, oldest first: in this order, the index of open transfers
   * finds each page without reading the others. Those that wait for a review of their targets are left out.
   */
  async *pages(table: 'transfers' | 'nft_transfers', before: string, limit: number): AsyncGenerator<readonly string[]> {
    for (let after = { id: '', created_at: '' }; ;) {
      const { rows } = await sql<typeof after>`
        SELECT transfers.id, transfers.created_at
        FROM ${sql.table(table)} AS transfers LEFT JOIN ${sql.table(MOVEMENT_DECISIONS)} AS review
          ON review.decision = 'review' AND review.id = transfers.id
        WHERE transfers.unfinished = 1 AND transfers.created_at <= ${before}
          AND (transfers.state = 'pending' OR review.awaited_since IS NULL)
          AND (transfers.created_at, transfers.id) > (${after.created_at}, ${after.id})
        ORDER BY transfers.created_at, transfers.id LIMIT ${limit}`.execute(this.readModels);
      if (rows.length > 0) yield rows.map(({ id }) => id);
      const last = rows.at(-1);
      if (rows.length < limit || !last) return;
      after = last;
    }
  }
}
