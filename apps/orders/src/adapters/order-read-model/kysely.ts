import type { OnModuleInit } from '@nestjs/common';
import type { OrderFilters, OrderRecord, Page, PageRequest, Timestamp } from '@ponte/contracts';
import type { ViewTable } from '@ponte/read-models';
import { createViewTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { OldOrder, OrderRow, OrderReadModel, WaitingCharge } from '../../ports/order-read-model';

interface Stored {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly account_id: string;
  readonly state: string;
  readonly quote_id: string;
  readonly source_asset: string;
  readonly target_asset: string;
  readonly external_id: string | null;
  readonly txid: string | null;
  /** Expiration of a brcode that is still waited for; null for every other order, so that its index stays small. */
  readonly waits_until: Timestamp | null;
  readonly record: OrderRecord;
}

/** Orders in the views' database: the record as it is published, and the columns to search by. */
export class KyselyOrderReadModel implements OrderReadModel, OnModuleInit {
  private readonly table: ViewTable<Stored>;
  private readonly db: Kysely<{ orders: Stored }>;

  constructor(views: Kysely<unknown>) {
    this.db = views as unknown as Kysely<{ orders: Stored }>;
    this.table = createViewTable<Stored>({
      db: views,
      table: 'orders',
      columns: {
        account_id: 'text',
        state: 'text',
        quote_id: 'text',
        source_asset: 'text',
        target_asset: 'text',
        external_id: 'text?',
        txid: 'text?',
        waits_until: 'text?',
        record: 'json',
      },
      indices: [['account_id'], ['waits_until']],
    });
  }

  onModuleInit(): Promise<void> {
    return this.table.prepare();
  }

  async put(row: OrderRow): Promise<void> {
    await this.table.put(storedOf(row));
  }

  /** Of different orders. */
  async putAll(rows: readonly OrderRow[]): Promise<void> {
    await this.table.putAll(rows.map(storedOf));
  }

  async page(accountId: string, filters: OrderFilters, page: PageRequest): Promise<Page<OrderRecord>> {
    const { state, quoteId, sourceAsset, targetAsset, externalId } = filters;
    const { items, next } = await this.table.page({
      where: { account_id: accountId },
      filters: {
        state,
        quote_id: quoteId,
        source_asset: sourceAsset,
        target_asset: targetAsset,
        external_id: externalId,
      },
      page,
    });
    return { items: items.map(({ record }) => record), next };
  }

  async expired(at: Timestamp, limit: number): Promise<readonly WaitingCharge[]> {
    const rows = await this.db
      .selectFrom('orders')
      .select(['id', 'account_id', 'txid'])
      .where('waits_until', '<', at)
      .orderBy('waits_until')
      .limit(limit)
      .execute();
    return rows.flatMap(({ id, account_id, txid }) =>
      txid === null ? [] : [{ orderId: id, accountId: account_id, txid }],
    );
  }

  /** The state stands in the statement as it is, so that the small index of open orders can be used. */
  async processing(createdTo: Timestamp, after: OldOrder | null, limit: number): Promise<readonly OldOrder[]> {
    const rows = this.db
      .selectFrom('orders')
      .select(['id', 'created_at'])
      .where(sql<boolean>`state = 'processing'`)
      .where('created_at', '<=', createdTo);
    const rest =
      after === null
        ? rows
        : rows.where(({ or, and, eb }) =>
            or([
              eb('created_at', '>', after.createdAt),
              and([eb('created_at', '=', after.createdAt), eb('id', '>', after.orderId)]),
            ]),
          );
    const page = await rest.orderBy('created_at').orderBy('id').limit(limit).execute();
    return page.map(({ id, created_at }) => ({ orderId: id, createdAt: created_at }));
  }
}

const storedOf = ({ revision, txid, record }: OrderRow): Stored => ({
  id: record.id,
  revision,
  created_at: record.createdAt,
  account_id: record.accountId,
  state: record.state,
  quote_id: record.quoteId,
  source_asset: record.sourceAsset,
  target_asset: record.targetAsset,
  external_id: record.externalId,
  txid,
  waits_until: record.state === 'created' ? record.expiration : null,
  record,
});
