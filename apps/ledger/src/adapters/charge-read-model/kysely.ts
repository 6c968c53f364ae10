import type { OnModuleInit } from '@nestjs/common';
import type { ChargePlace, OverdueCharge, Timestamp } from '@ponte/contracts';
import type { ViewTable } from '@ponte/read-models';
import { createViewTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import type { ChargeRow, ChargeReadModel } from '../../ports/charge-read-model';

interface Stored {
  readonly id: string;
  readonly revision: number;
  /** The charge's expiration: rows are only ever asked for by it. */
  readonly created_at: Timestamp;
  readonly account_id: string;
  readonly order_id: string;
  /** Expiration of an open charge; null for every other, so that its index stays small. */
  readonly due_at: Timestamp | null;
}

/** Charges in the views' database. */
export class KyselyChargeReadModel implements ChargeReadModel, OnModuleInit {
  private readonly table: ViewTable<Stored>;
  private readonly db: Kysely<{ ledger_charges: Stored }>;

  constructor(views: Kysely<unknown>) {
    this.db = views as unknown as Kysely<{ ledger_charges: Stored }>;
    this.table = createViewTable<Stored>({
      db: views,
      table: 'ledger_charges',
      columns: { account_id: 'text', order_id: 'text', due_at: 'text?' },
      indices: [['due_at']],
    });
  }

  onModuleInit(): Promise<void> {
    return this.table.prepare();
  }

  async put(row: ChargeRow): Promise<void> {
    await this.table.put(storedOf(row));
  }

  /** Of different charges. */
  async putAll(rows: readonly ChargeRow[]): Promise<void> {
    await this.table.putAll(rows.map(storedOf));
  }

  async overdue(
    expiredBefore: Timestamp,
    limit: number,
    after?: ChargePlace | null,
  ): Promise<readonly OverdueCharge[]> {
    let overdue = this.db
      .selectFrom('ledger_charges')
      .select(['id', 'order_id', 'account_id', 'created_at'])
      .where('due_at', '<', expiredBefore);
    if (after)
      overdue = overdue
        .where('due_at', '>=', after.expiration)
        .where(({ eb, or }) => or([eb('due_at', '>', after.expiration), eb('id', '>', after.txid)]));
    const rows = await overdue.orderBy('due_at').orderBy('id').limit(limit).execute();
    return rows.map(({ id, order_id, account_id, created_at }) => ({
      txid: id,
      orderId: order_id,
      accountId: account_id,
      expiration: created_at as Timestamp,
    }));
  }
}

const storedOf = ({ txid, revision, accountId, orderId, expiration, open }: ChargeRow): Stored => ({
  id: txid,
  revision,
  created_at: expiration,
  account_id: accountId,
  order_id: orderId,
  due_at: open ? expiration : null,
});
