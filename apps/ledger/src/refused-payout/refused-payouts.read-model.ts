import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { withdrawal } from '../withdrawal/withdrawal.decider';

const RefusedPayoutList = defineReadModel({
  table: 'ledger_refused_payouts',
  of: withdrawal,
  columns: {
    // When the bank is next asked; null if it is not asked any more, so that the index stays small.
    read_again_at: 'text?',
    // When the loss was posted; null if the bank has not made the payment.
    posted_at: 'text?',
  },
  indices: [['read_again_at'], ['posted_at']],
  rows: ({ id, state, revision }) => {
    if (state.status !== 'rolled-back' || state.refusedPayout === null) return undefined;
    const { readAgainAt, made } = state.refusedPayout;
    return { id, revision, created_at: state.since, read_again_at: readAgainAt, posted_at: made?.postedAt ?? null };
  },
});

/** A refused payout whose check is due, and since when. */
export interface DueRead {
  readonly id: string;
  readonly readAgainAt: Timestamp;
}

/** Payouts that the bank refused or cancelled, by when they are read again. */
@Injectable()
export class RefusedPayouts extends RefusedPayoutList {
  private readonly db = this.readModels as unknown as Kysely<{
    ledger_refused_payouts: RowOf<typeof RefusedPayoutList>;
  }>;

  /** A page of the payouts whose check was due by this time, the longest overdue first. */
  async due(before: Timestamp, limit: number, after?: DueRead): Promise<readonly DueRead[]> {
    let query = this.db
      .selectFrom('ledger_refused_payouts')
      .select(['id', 'read_again_at'])
      .where('read_again_at', '<=', before);
    if (after)
      query = query.where(({ and, eb, or }) =>
        or([
          eb('read_again_at', '>', after.readAgainAt),
          and([eb('read_again_at', '=', after.readAgainAt), eb('id', '>', after.id)]),
        ]),
      );
    const rows = await query.orderBy('read_again_at').orderBy('id').limit(limit).execute();
    return rows.map(({ id, read_again_at: readAgainAt }) => ({ id, readAgainAt: readAgainAt as Timestamp }));
  }

  /** Counts the payouts that the bank made after it had refused or cancelled them. */
  async countMade(): Promise<number> {
    const counted = await this.db
      .selectFrom('ledger_refused_payouts')
      .where('posted_at', 'is not', null)
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirst();
    return Number(counted?.count ?? 0);
  }
}
