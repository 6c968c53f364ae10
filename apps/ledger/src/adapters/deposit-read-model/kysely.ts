import type { OnModuleInit } from '@nestjs/common';
import type { AmountOf, DepositFilters, DepositRecord, Page, PageRequest, Timestamp } from '@ponte/contracts';
import { isTokenCoordinates } from '@ponte/contracts';
import type { ViewTable } from '@ponte/read-models';
import { createViewTable } from '@ponte/read-models';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import type { Kysely } from 'kysely';
import type { DepositRow, DepositReadModel } from '../../ports/deposit-read-model';

interface Stored {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly account_id: string | null;
  readonly asset: string | null;
  readonly type: string | null;
  readonly status: string | null;
  readonly end_to_end_id: string | null;
  readonly tx_hash: string | null;
  /** 1 while something is left to do, null afterwards, so that its index stays small. */
  readonly unfinished: number | null;
  readonly record: DepositRecord | null;
}

const OPEN = ['created', 'confirmed'] as const;
const TYPES = ['pix', 'ted', 'manual-fx', 'token'] as const;

/** Deposits in the views' database: the record as it is published, and the columns to search by. */
export class KyselyDepositReadModel implements DepositReadModel, OnModuleInit {
  private readonly table: ViewTable<Stored>;

  private readonly db: Kysely<{ ledger_deposits: Stored }>;

  constructor(db: Kysely<unknown>) {
    this.db = db as Kysely<{ ledger_deposits: Stored }>;
    this.table = createViewTable<Stored>({
      db,
      table: 'ledger_deposits',
      columns: {
        account_id: 'text?',
        asset: 'text?',
        type: 'text?',
        status: 'text?',
        end_to_end_id: 'text?',
        tx_hash: 'text?',
        unfinished: 'integer?',
        record: 'json',
      },
      indices: [['account_id'], ['unfinished'], ['status'], ['asset']],
    });
  }

  onModuleInit(): Promise<void> {
    return this.table.prepare();
  }

  async put(row: DepositRow): Promise<void> {
    await this.table.put(storedOf(row));
  }

  /** Of different deposits. */
  async putAll(rows: readonly DepositRow[]): Promise<void> {
    await this.table.putAll(rows.map(storedOf));
  }

  async get(depositId: string): Promise<DepositRecord | undefined> {
    return (await this.table.get(depositId))?.record ?? undefined;
  }

  /** The pages of each asset, which is nearly always one, laid together. */
  async page(
    accountId: string,
    { assets, status, type, endToEndId, txHash }: DepositFilters,
    page: PageRequest,
  ): Promise<Page<DepositRecord>> {
    const pages = await Promise.all(
      assets.map((asset) =>
        this.table.page({
          where: { account_id: accountId, asset },
          filters: { status, type, end_to_end_id: endToEndId, tx_hash: txHash },
          page,
        }),
      ),
    );
    return merged(pages, page.limit);
  }

  async pageOfType(
    type: DepositRecord['type'],
    status: DepositRecord['status'] | null,
    page: PageRequest,
  ): Promise<Page<DepositRecord>> {
    const { items, next } = await this.table.page({ where: { type }, filters: { status }, page });
    return { items: items.flatMap(({ record }) => record ?? []), next };
  }

  async pageOfAll(
    { assets, status, type, endToEndId, txHash }: DepositFilters,
    page: PageRequest,
  ): Promise<Page<DepositRecord>> {
    const pages = await Promise.all(
      assets.map((asset) =>
        this.table.page({
          where: { asset },
          filters: { status, type, end_to_end_id: endToEndId, tx_hash: txHash },
          page,
        }),
      ),
    );
    return merged(pages, page.limit);
  }

  async uncreditedTokens(): Promise<readonly AmountOf[]> {
    const rows = await this.db
      .selectFrom('ledger_deposits')
      .select(['asset', 'record'])
      .where('type', '=', 'token')
      .where('status', 'in', [...OPEN, 'voided'])
      .execute();
    const sums = new Map<AssetId, Money>();
    for (const { record: stored } of rows) {
      const record = (typeof stored === 'string' ? JSON.parse(stored) : stored) as DepositRecord;
      // Of those that were voided, only what was refused lies in a wallet of ours.
      if (record.status === 'voided' && record.voidReason !== 'compliance') continue;
      // What another account with us sent is in the books: in clearing.
      if (!isTokenCoordinates(record.coordinates) || record.coordinates.movementId !== null) continue;
      sums.set(
        record.asset,
        (sums.get(record.asset) ?? Money.zero(record.asset)).plus(Money.stored(record.asset, record.amount)),
      );
    }
    return [...sums].map(([asset, sum]) => ({ asset, amount: sum.toString() }));
  }

  async open(): Promise<readonly { readonly type: string; readonly status: string; readonly count: number }[]> {
    const rows = await this.db
      .selectFrom('ledger_deposits')
      .select(({ fn }) => ['type', 'status', fn.countAll().as('count')])
      .where('status', 'in', OPEN)
      .groupBy(['type', 'status'])
      .execute();
    return TYPES.flatMap((type) =>
      OPEN.map((status) => ({
        type,
        status,
        count: Number(rows.find((row) => row.type === type && row.status === status)?.count ?? 0),
      })),
    );
  }

  async oldestOpen(): Promise<readonly { readonly type: string; readonly since: Timestamp | null }[]> {
    const rows = await this.db
      .selectFrom('ledger_deposits')
      .select(({ fn }) => ['type', fn.min('created_at').as('since')])
      .where('status', 'in', OPEN)
      .groupBy('type')
      .execute();
    return TYPES.map((type) => ({ type, since: rows.find((row) => row.type === type)?.since ?? null }));
  }

  async unfinished(page: PageRequest): Promise<Page<string>> {
    const { items, next } = await this.table.page({ where: { unfinished: 1 }, page });
    return { items: items.map(({ id }) => id), next };
  }
}

/** Pages that were asked for alike, as one. */
function merged(pages: readonly Page<Stored>[], limit: number): Page<DepositRecord> {
  const rows = pages.flatMap(({ items }) => items).sort(newestFirst);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit || pages.some(({ next }) => next !== null);
  return {
    items: items.flatMap(({ record }) => record ?? []),
    next: more && last ? { createdAt: last.created_at, id: last.id } : null,
  };
}

const storedOf = ({ depositId, revision, createdAt, unfinished, record }: DepositRow): Stored => ({
  id: depositId,
  revision,
  created_at: createdAt,
  account_id: record?.accountId ?? null,
  asset: record?.asset ?? null,
  type: record?.type ?? null,
  status: record?.status ?? null,
  end_to_end_id: record?.endToEndId ?? null,
  tx_hash: record && isTokenCoordinates(record.coordinates) ? record.coordinates.txHash : null,
  unfinished: unfinished ? 1 : null,
  record,
});

const newestFirst = (a: Stored, b: Stored): number =>
  a.created_at === b.created_at ? compare(b.id, a.id) : compare(b.created_at, a.created_at);
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
