import { Inject, Injectable } from '@nestjs/common';
import type { Page, PageRequest, Timestamp, WithdrawalFilters, WithdrawalRecord } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel, VIEWS } from '@ponte/nest';
import type { Shown } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { AddressReviewReadModel } from '../address-screening/address-reviews.read-model';
import { awaitsReview } from '../withdrawal-review/withdrawal-review';
import type { Withdrawal } from './withdrawal.state';
import { withdrawal } from './withdrawal.decider';
import { created } from './withdrawal.state';
import { recordOf } from './withdrawal.record';

const WithdrawalList = defineReadModel({
  table: 'ledger_withdrawals',
  reader: 'ledger-views',
  of: withdrawal,
  columns: {
    account_id: 'text',
    asset: 'text',
    state: 'text',
    method: 'text',
    external_id: 'text?',
    // From when on there is something to do about it; null when there is nothing, so that the index stays small.
    due_at: 'text?',
    record: 'json',
  },
  indices: [['account_id'], ['due_at'], ['state']],
  rows: ({ state, revision }) => {
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
  },
});

/** A withdrawal that something is to be done about, and since when. */
export interface DueWithdrawal {
  readonly id: string;
  readonly dueAt: Timestamp;
}

/** Withdrawals by account, for staff, and by what is left to do. */
@Injectable()
export class WithdrawalReadModel extends WithdrawalList {
  private readonly db = this.views as unknown as Kysely<{ ledger_withdrawals: RowOf<typeof WithdrawalList> }>;

  constructor(
    @Inject(VIEWS) views: Kysely<unknown>,
    private readonly addressReviews: AddressReviewReadModel,
  ) {
    super(views);
  }

  /** The review of a withdrawal is shown beside those of everything else too. */
  override async show(shown: Shown<Withdrawal>): Promise<void> {
    await super.show(shown);
    await this.addressReviews.showWithdrawal(shown);
  }

  async page(
    accountId: string | null,
    { asset, state, method, externalId }: WithdrawalFilters,
    page: PageRequest,
  ): Promise<Page<WithdrawalRecord>> {
    return this.records({
      where: accountId === null ? {} : { account_id: accountId },
      filters: { asset, state, method, external_id: externalId },
      page,
    });
  }

  /** A page of the withdrawals that something was to be done about before this time, the longest due first. */
  async due(before: Timestamp, limit: number, after?: DueWithdrawal): Promise<readonly DueWithdrawal[]> {
    let query = this.db.selectFrom('ledger_withdrawals').select(['id', 'due_at']).where('due_at', '<=', before);
    if (after)
      query = query.where(({ and, eb, or }) =>
        or([eb('due_at', '>', after.dueAt), and([eb('due_at', '=', after.dueAt), eb('id', '>', after.id)])]),
      );
    const rows = await query.orderBy('due_at').orderBy('id').limit(limit).execute();
    return rows.map(({ id, due_at: dueAt }) => ({ id, dueAt: dueAt as Timestamp }));
  }

  /** Those that wait for a review, the longest waiting first: any other created withdrawal is due. */
  async underReview(limit: number): Promise<readonly WithdrawalRecord[]> {
    const rows = await this.db
      .selectFrom('ledger_withdrawals')
      .select('id')
      .where('state', '=', 'created')
      .where('due_at', 'is', null)
      .orderBy('created_at')
      .limit(limit)
      .execute();
    const found = await Promise.all(rows.map(({ id }) => this.table.get(id)));
    return found.flatMap((row) => (row ? [row.record] : []));
  }

  /** How many wait for a review, and since when the first does. */
  async reviews() {
    const found = await this.db
      .selectFrom('ledger_withdrawals')
      .where('state', '=', 'created')
      .where('due_at', 'is', null)
      .select(({ fn }) => [fn.countAll<number | string>().as('count'), fn.min('created_at').as('since')])
      .executeTakeFirst();
    return { count: Number(found?.count ?? 0), since: found?.since ?? null };
  }

  /** How many are open, by state and method. */
  async open() {
    const rows = await this.db
      .selectFrom('ledger_withdrawals')
      .where('state', 'in', ['created', 'processing'])
      .groupBy(['state', 'method'])
      .select(({ fn }) => ['state', 'method', fn.countAll<number | string>().as('count')])
      .execute();
    return rows.map(({ state, method, count }) => ({ state, method, count: Number(count) }));
  }

  /** Since when the longest due withdrawal of each method is due; one that waits for banking hours is not due yet. */
  async oldestDue() {
    const rows = await this.db
      .selectFrom('ledger_withdrawals')
      .where('due_at', 'is not', null)
      .groupBy('method')
      .select(({ fn }) => ['method', fn.min('due_at').as('since')])
      .execute();
    return rows.flatMap(({ method, since }) => (since === null ? [] : [{ method, since }]));
  }
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
