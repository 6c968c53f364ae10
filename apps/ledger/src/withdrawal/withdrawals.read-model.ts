import type { OnModuleInit } from '@nestjs/common';
import type { Page, PageRequest, Timestamp, WithdrawalFilters, WithdrawalRecord } from '@ponte/contracts';
import type { ViewTable } from '@ponte/read-models';
import { createViewTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { reviewOfWithdrawal } from '../address-screening/address-review.mapper';
import type { AddressReviewReadModel } from '../address-screening/address-reviews.read-model';
import { awaitsReview } from './withdrawal-review';
import type { Withdrawal } from './withdrawal.decider';
import { created } from './withdrawal.decider';
import { recordOf } from './withdrawal.record';

export const WITHDRAWALS_TABLE = 'ledger_withdrawals';
const TABLE = WITHDRAWALS_TABLE;

interface Stored {
  readonly id: string;
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly account_id: string;
  readonly asset: string;
  readonly state: string;
  readonly method: string;
  readonly external_id: string | null;
  /** From when on there is something to do about it; null when there is nothing, so that the index stays small. */
  readonly due_at: Timestamp | null;
  readonly record: WithdrawalRecord;
}

/** Withdrawals by account, for staff, and by what is left to do. */
export interface WithdrawalReadModel {
  /** A row never goes back to a lower revision. */
  put(withdrawal: Withdrawal, revision: number): Promise<void>;
  page(accountId: string | null, filters: WithdrawalFilters, page: PageRequest): Promise<Page<WithdrawalRecord>>;
  /** Ids of withdrawals that something was to be done about before this time, the longest due first. */
  due(before: Timestamp, limit: number): Promise<readonly string[]>;
  /** Those that wait for a review, the longest waiting first. */
  underReview(limit: number): Promise<readonly WithdrawalRecord[]>;
  /** How many wait for a review, and since when the first does. */
  reviews(): Promise<{ readonly count: number; readonly since: Timestamp | null }>;
  /** How many are open, by state and method. */
  open(): Promise<readonly { readonly state: string; readonly method: string; readonly count: number }[]>;
  /** Since when the longest due withdrawal of each method is due; one that waits for banking hours is not due yet. */
  oldestDue(): Promise<readonly { readonly method: string; readonly since: Timestamp }[]>;
}

export const WITHDRAWAL_READ_MODEL = Symbol('WithdrawalReadModel');

/** Withdrawals in the views' database: the record, and the columns that are searched by. */
export class KyselyWithdrawalReadModel implements WithdrawalReadModel, OnModuleInit {
  private readonly table: ViewTable<Stored>;
  private readonly db: Kysely<{ ledger_withdrawals: Stored }>;

  /** `addressReviews`: shows the reviews of withdrawals beside those of everything else. */
  constructor(
    views: Kysely<unknown>,
    private readonly addressReviews: AddressReviewReadModel,
  ) {
    this.db = views as unknown as Kysely<{ ledger_withdrawals: Stored }>;
    this.table = createViewTable<Stored>({
      db: views,
      table: TABLE,
      columns: {
        account_id: 'text',
        asset: 'text',
        state: 'text',
        method: 'text',
        external_id: 'text?',
        due_at: 'text?',
        record: 'json',
      },
      indices: [['account_id'], ['due_at'], ['state']],
    });
  }

  onModuleInit(): Promise<void> {
    return this.table.prepare();
  }

  async put(state: Withdrawal, revision: number): Promise<void> {
    await this.putAll([[state, revision]]);
  }

  /** Of different withdrawals. */
  async putAll(rows: readonly (readonly [Withdrawal, number])[]): Promise<void> {
    const stored = rows.flatMap(([state, revision]) => storedOf(state, revision) ?? []);
    await this.table.putAll(stored);
    const reviews = stored.flatMap(({ record, revision }) => {
      const review = reviewOfWithdrawal(record);
      return review ? [[review, revision] as const] : [];
    });
    if (reviews.length > 0) await this.addressReviews.putAll(reviews);
  }

  async page(
    accountId: string | null,
    { asset, state, method, externalId }: WithdrawalFilters,
    page: PageRequest,
  ): Promise<Page<WithdrawalRecord>> {
    const where: Partial<Stored> = accountId === null ? {} : { account_id: accountId };
    const { items, next } = await this.table.page({
      where,
      filters: { asset, state, method, external_id: externalId },
      page,
    });
    return { items: items.map(({ record }) => record), next };
  }

  async due(before: Timestamp, limit: number): Promise<readonly string[]> {
    const rows = await this.db
      .selectFrom(TABLE)
      .select('id')
      .where('due_at', '<=', before)
      .orderBy('due_at')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** A created withdrawal is always due, unless it waits for a review. */
  async underReview(limit: number): Promise<readonly WithdrawalRecord[]> {
    const rows = await this.db
      .selectFrom(TABLE)
      .select('id')
      .where('state', '=', 'created')
      .where('due_at', 'is', null)
      .orderBy('created_at')
      .limit(limit)
      .execute();
    const found = await Promise.all(rows.map(({ id }) => this.table.get(id)));
    return found.flatMap((row) => (row ? [row.record] : []));
  }

  async reviews() {
    const found = await this.db
      .selectFrom(TABLE)
      .where('state', '=', 'created')
      .where('due_at', 'is', null)
      .select(({ fn }) => [fn.countAll<number | string>().as('count'), fn.min('created_at').as('since')])
      .executeTakeFirst();
    return { count: Number(found?.count ?? 0), since: found?.since ?? null };
  }

  async open() {
    const rows = await this.db
      .selectFrom(TABLE)
      .where('state', 'in', ['created', 'processing'])
      .groupBy(['state', 'method'])
      .select(({ fn }) => ['state', 'method', fn.countAll<number | string>().as('count')])
      .execute();
    return rows.map(({ state, method, count }) => ({ state, method, count: Number(count) }));
  }

  async oldestDue() {
    const rows = await this.db
      .selectFrom(TABLE)
      .where('due_at', 'is not', null)
      .groupBy('method')
      .select(({ fn }) => ['method', fn.min('due_at').as('since')])
      .execute();
    return rows.flatMap(({ method, since }) => (since === null ? [] : [{ method, since }]));
  }
}

function storedOf(state: Withdrawal, revision: number): Stored | undefined {
  const known = created(state);
  if (!known) return undefined;
  const record = recordOf(known);
  return {
    id: record.id,
    revision,
    created_at: record.createdAt,
    account_id: record.accountId,
    asset: record.asset,
    state: record.state,
    method: record.method,
    external_id: record.externalId,
    due_at: dueAt(record),
    record,
  };
}

/**
 * A token withdrawal that is being processed is moved on by the chain's own service; one under review waits for staff.
 */
function dueAt({ state, method, scheduledFor, stateUpdatedAt, review }: WithdrawalRecord): Timestamp | null {
  switch (state) {
    case 'created':
      return awaitsReview(review ?? null) ? null : (scheduledFor ?? stateUpdatedAt);
    case 'processing':
      return method === 'token' ? null : stateUpdatedAt;
    case 'completed':
    case 'rolled-back':
      return null;
  }
}
