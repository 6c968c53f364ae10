import { Injectable } from '@nestjs/common';
import type { ChargeCursor, OverdueCharge, Timestamp } from '@ponte/contracts';
import { sql } from 'kysely';
import { defineReadModel } from '@ponte/nest';
import { pixCharge } from './pix-charge.decider';

/** Charges by expiration. */
@Injectable()
export class ChargeReadModel extends defineReadModel({
  table: 'ledger_charges',
  reader: 'ledger-lists',
  of: pixCharge,
  columns: {
    account_id: 'text',
    order_id: 'text',
    // Expiration of a charge that is neither paid nor closed; null for all others, so that the index stays small.
    due_at: 'text?',
  },
  indices: [['due_at']],
  rows: ({ state, revision }) => {
    if (state.status === 'none') return undefined;
    const { txid, orderId, accountId, expiration } = state.facts;
    return {
      id: txid,
      revision,
      // The charge's expiration, because rows are only queried by it.
      created_at: expiration,
      account_id: accountId,
      order_id: orderId,
      due_at: state.status === 'requested' || state.status === 'open' ? expiration : null,
    };
  },
}) {
  /** Open charges whose expiration has passed, longest overdue first, starting after `after` if it is given. */
  async overdue(
    expiredBefore: Timestamp,
    limit: number,
    after?: ChargeCursor | null,
  ): Promise<readonly OverdueCharge[]> {
    let overdue = this.table.rows
      .select(['id', 'order_id', 'account_id', 'created_at'])
      .where('due_at', '<', expiredBefore);
    if (after) overdue = overdue.where(sql<boolean>`(due_at, id) > (${after.expiration}, ${after.txid})`);
    const rows = await overdue.orderBy('due_at').orderBy('id').limit(limit).execute();
    return rows.map(({ id, order_id, account_id, created_at }) => ({
      txid: id,
      orderId: order_id,
      accountId: account_id,
      expiration: created_at as Timestamp,
    }));
  }
}
