import type { OnModuleInit } from '@nestjs/common';
import type { DepositFilters, DepositRecord, Page, PageRequest, Timestamp } from '@ponte/contracts';
import type { ViewTable } from '@ponte/engines';
import { createViewTable } from '@ponte/engines';
import type { Kysely } from 'kysely';
import type { DepositRow, DepositRows } from '../../ports/deposit-rows';

interface Stored {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly account_id: string | null;
  readonly asset: string | null;
  readonly type: string | null;
  readonly status: string | null;
  readonly end_to_end_id: string | null;
  /** 1 while something is left to do, null afterwards, so that its index stays small. */
  readonly unfinished: number | null;
  readonly record: DepositRecord | null;
}

/** Deposits in the views' database: the record as it is told, beside it the columns that are searched by. */
export class KyselyDepositRows implements DepositRows, OnModuleInit {
  private readonly table: ViewTable<Stored>;

  constructor(db: Kysely<unknown>) {
    this.table = createViewTable<Stored>({
      db,
      table: 'ledger_deposits',
      columns: { account_id: 'text?', asset: 'text?', type: 'text?', status: 'text?', end_to_end_id: 'text?', unfinished: 'integer?', record: 'json' },
      indices: [['account_id'], ['unfinished']],
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
  async page(accountId: string, { assets, status, type, endToEndId }: DepositFilters, page: PageRequest): Promise<Page<DepositRecord>> {
    const pages = await Promise.all(assets.map((asset) => this.table.page({
      where: { account_id: accountId, asset }, filters: { status, type, end_to_end_id: endToEndId }, page,
    })));
    const rows = pages.flatMap(({ items }) => items).sort(newestFirst);
    const items = rows.slice(0, page.limit);
    const last = items.at(-1);
    const more = rows.length > page.limit || pages.some(({ next }) => next !== null);
    return { items: items.flatMap(({ record }) => record ?? []), next: more && last ? { createdAt: last.created_at, id: last.id } : null };
  }

  async pageOfType(type: DepositRecord['type'], status: DepositRecord['status'] | null, page: PageRequest): Promise<Page<DepositRecord>> {
    const { items, next } = await this.table.page({ where: { type }, filters: { status }, page });
    return { items: items.flatMap(({ record }) => record ?? []), next };
  }

  async unfinished(page: PageRequest): Promise<Page<string>> {
    const { items, next } = await this.table.page({ where: { unfinished: 1 }, page });
    return { items: items.map(({ id }) => id), next };
  }
}

const storedOf = ({ depositId, revision, createdAt, unfinished, record }: DepositRow): Stored => ({
  id: depositId, revision, created_at: createdAt, account_id: record?.accountId ?? null, asset: record?.asset ?? null, type: record?.type ?? null,
  status: record?.status ?? null, end_to_end_id: record?.endToEndId ?? null, unfinished: unfinished ? 1 : null, record,
});

const newestFirst = (a: Stored, b: Stored): number =>
  a.created_at === b.created_at ? compare(b.id, a.id) : compare(b.created_at, a.created_at);
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
