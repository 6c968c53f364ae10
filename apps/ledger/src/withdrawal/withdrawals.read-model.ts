import { Inject, Injectable } from '@nestjs/common';
import type {
  Page,
  PageRequest,
  Timestamp,
  StartedWithdrawal,
  WithdrawalFilters,
  WithdrawalRecord,
} from '@ponte/contracts';
import { defineReadModel, READ_MODELS } from '@ponte/nest';
import type { Shown } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { AddressReviewReadModel } from '../address-screening/address-reviews.read-model';
import { awaitsReview } from '../withdrawal-review/withdrawal-review.domain';
import type { Withdrawal } from './withdrawal.state';
import { withdrawal } from './withdrawal.decider';
import { created } from './withdrawal.state';
import { recordOf } from './withdrawal.record';

/** Rows per page of a search through all open withdrawals. */
const READ_AT_ONCE = 500;

/** Withdrawals by account and by when they are due for work. */
@Injectable()
export class WithdrawalReadModel extends defineReadModel({
  table: 'ledger_withdrawals',
  reader: 'ledger-lists',
  of: withdrawal,
  columns: {
    account_id: 'text',
    asset: 'text',
    state: 'text',
    method: 'text',
    external_id: 'text?',
    // When the withdrawal is next due for work; null if there is no work left, so that the index stays small.
    due_at: 'text?',
    // Null until the transaction of a token withdrawal is signed. Null for other withdrawals.
    tx_hash: 'text?',
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
      tx_hash: record.txHash,
      record,
    };
  },
}) {
  constructor(
    @Inject(READ_MODELS) readModels: Kysely<unknown>,
    private readonly addressReviews: AddressReviewReadModel,
  ) {
    super(readModels);
  }

  /** Also writes the withdrawal's review to the table of address reviews. */
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

  /**
   * Withdrawals in this state to a lower-case address, at most `limit`. Reads all of the state: only closings of
   * accounts ask, and the open ones are few.
   */
  async to(destination: string, state: 'created' | 'processing', limit: number): Promise<readonly WithdrawalRecord[]> {
    const withdrawals: WithdrawalRecord[] = [];
    let page: PageRequest = { limit: READ_AT_ONCE, cursor: null, createdFrom: null, createdTo: null };
    for (;;) {
      const { items, next } = await this.records({ where: {}, filters: { state, method: 'token' }, page });
      withdrawals.push(
        ...items.filter(({ target }) => target.method === 'token' && target.destinationWalletAddress === destination),
      );
      if (next === null || withdrawals.length >= limit) return withdrawals.slice(0, limit);
      page = { ...page, cursor: next };
    }
  }

  /**
   * The ids of the withdrawals that were due by this time, longest due first, in pages. The movements service advances
   * tokens that are being sent.
   */
  due(before: Timestamp, pageSize?: number): AsyncGenerator<readonly string[]> {
    return this.table.due('due_at', before, {
      pageSize,
      narrow: (rows) => rows.where(({ eb, or }) => or([eb('state', '=', 'created'), eb('method', '!=', 'token')])),
    });
  }

  /** Token withdrawals that were started, or changed last, by this time and have not ended, earliest first. */
  async started(
    startedBefore: Timestamp,
    after: StartedWithdrawal | null,
    limit: number,
  ): Promise<readonly StartedWithdrawal[]> {
    const rows = this.table.rows
      .where('state', '=', 'processing')
      .where('method', '=', 'token')
      .where('due_at', '<=', startedBefore);
    const rest = after ? rows.where(sql<boolean>`(due_at, id) > (${after.startedAt}, ${after.withdrawalId})`) : rows;
    const page = await rest.select(['id', 'due_at']).orderBy('due_at').orderBy('id').limit(limit).execute();
    return page.map(({ id: withdrawalId, due_at }) => ({ withdrawalId, startedAt: due_at as Timestamp }));
  }

  /** Counts the open withdrawals, by state and method. */
  async open() {
    const rows = await this.table.rows
      .where('state', 'in', ['created', 'processing'])
      .groupBy(['state', 'method'])
      .select(({ fn }) => ['state', 'method', fn.countAll<number | string>().as('count')])
      .execute();
    return rows.map(({ state, method, count }) => ({ state, method, count: Number(count) }));
  }
}

/** A withdrawal under review has no due time because it waits for staff. */
function dueAt({ state, scheduledFor, stateUpdatedAt, review }: WithdrawalRecord): Timestamp | null {
  switch (state) {
    case 'created':
      return awaitsReview(review ?? null) ? null : (scheduledFor ?? stateUpdatedAt);
    case 'processing':
      return stateUpdatedAt;
    case 'completed':
    case 'rolled-back':
      return null;
  }
}
