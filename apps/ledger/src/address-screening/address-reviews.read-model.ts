import { Injectable } from '@nestjs/common';
import type {
  AddressMatch,
  AddressReviewFilters,
  AddressReviewRecord,
  CountedMatches,
  Page,
  PageRequest,
  ReviewedMovementFilters,
  WaitingReviews,
} from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import type { Shown } from '@ponte/read-models';
import { rowsFrom } from '@ponte/read-models';
import { verdictOf } from '../withdrawal-review/withdrawal-review.domain';
import type { Withdrawal } from '../withdrawal/withdrawal.state';
import { withdrawal } from '../withdrawal/withdrawal.decider';
import { created } from '../withdrawal/withdrawal.state';
import { recordOf } from '../withdrawal/withdrawal.record';
import { addressReview } from './address-review.decider';
import { matchOf, reviewOfWithdrawal, reviewRecord } from './address-review.mapper';

const rowOf = (record: AddressReviewRecord, revision: number) => {
  const decided = verdictOf(record);
  return {
    id: record.id,
    revision,
    created_at: record.heldAt,
    kind: record.subject.kind,
    chain: record.chain,
    asset: record.asset,
    account_id: record.accountId,
    verdict: decided?.verdict ?? null,
    decided_at: decided?.reviewedAt ?? null,
    waits_since: record.outcome === 'waits' ? record.heldAt : null,
    record,
  };
};

const rowOfWithdrawal = ({ state, revision }: Shown<Withdrawal>) => {
  const known = created(state);
  const review = known && reviewOfWithdrawal(recordOf(known));
  return review ? rowOf(review, revision) : undefined;
};

/** Every review of an address, including those in the streams of withdrawals. */
@Injectable()
export class AddressReviewReadModel extends defineReadModel({
  table: 'ledger_address_reviews',
  version: 2,
  reader: 'ledger-lists',
  of: addressReview,
  columns: {
    kind: 'text',
    chain: 'text?',
    asset: 'text?',
    account_id: 'text',
    // The final verdict and its time; null while the review is open.
    verdict: 'text?',
    decided_at: 'text?',
    // Null once decided.
    waits_since: 'text?',
    record: 'json',
  },
  indices: [['waits_since'], ['verdict'], ['account_id', 'verdict', 'decided_at']],
  rows: ({ state, revision }) => {
    const record = reviewRecord(state);
    return record ? rowOf(record, revision) : undefined;
  },
  also: [rowsFrom(withdrawal, rowOfWithdrawal)],
}) {
  /** Writes the row of a withdrawal's review, if it has one. Never overwrites a row of a higher revision. */
  async showWithdrawal(shown: Shown<Withdrawal>): Promise<void> {
    const row = rowOfWithdrawal(shown);
    if (row) await this.table.put(row);
  }

  /** Open reviews, longest-waiting first. */
  async waiting(
    { subject, chain, asset }: ReviewedMovementFilters,
    limit: number,
  ): Promise<readonly AddressReviewRecord[]> {
    const rows = await this.table.select((all) =>
      all
        .where(({ and, eb }) =>
          and([
            eb('waits_since', 'is not', null),
            ...(subject ? [eb('kind', '=', subject)] : []),
            ...(chain ? [eb('chain', '=', chain)] : []),
            ...(asset ? [eb('asset', '=', asset)] : []),
          ]),
        )
        .orderBy('waits_since')
        .orderBy('id')
        .limit(limit),
    );
    return rows.map(({ record }) => record);
  }

  /** The ids of the open reviews of an account, longest-waiting first. */
  async waitingOf(accountId: string): Promise<readonly string[]> {
    const rows = await this.table.select((all) =>
      all.where('account_id', '=', accountId).where('waits_since', 'is not', null).orderBy('waits_since').orderBy('id'),
    );
    return rows.map(({ id }) => id);
  }

  /** Counts the open reviews by kind. */
  async counts(): Promise<readonly WaitingReviews[]> {
    const rows = await this.table.rows
      .where('waits_since', 'is not', null)
      .groupBy('kind')
      .select(({ fn }) => ['kind', fn.countAll<number | string>().as('count'), fn.min('waits_since').as('since')])
      .execute();
    return rows.map(({ kind, count, since }) => ({ kind, count: Number(count), since: since ?? null }));
  }

  /** Reviews, open or decided, newest first. */
  page(
    { accountId, verdict, subject, chain, asset }: AddressReviewFilters,
    page: PageRequest,
  ): Promise<Page<AddressReviewRecord>> {
    const filters = { account_id: accountId, kind: subject, chain, asset };
    const where = verdict === null ? {} : { verdict: verdict === 'none' ? null : verdict };
    return this.records({ where, filters, page });
  }

  /** True matches of an account, latest decision first, and their total number. */
  async matches(
    accountId: string,
    limit: number,
  ): Promise<{ readonly matches: readonly AddressMatch[]; readonly total: number }> {
    const [rows, total] = await Promise.all([
      this.table.select((all) =>
        all
          .where('account_id', '=', accountId)
          .where('verdict', '=', 'true-match')
          .orderBy('decided_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit),
      ),
      this.table.count((all) => all.where('account_id', '=', accountId).where('verdict', '=', 'true-match')),
    ]);
    return { matches: rows.flatMap(({ record }) => matchOf(record) ?? []), total };
  }

  /** Counts the true matches of all accounts by kind. */
  async countedMatches(): Promise<readonly CountedMatches[]> {
    const rows = await this.table.rows
      .where('verdict', '=', 'true-match')
      .groupBy('kind')
      .select(({ fn }) => ['kind', fn.countAll<number | string>().as('count')])
      .execute();
    return rows.map(({ kind, count }) => ({ kind, count: Number(count) }));
  }
}
