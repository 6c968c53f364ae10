import { Injectable } from '@nestjs/common';
import type { RefusedPayoutRecord, Timestamp } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { withdrawal } from '../withdrawal/withdrawal.decider';
import type { Withdrawal } from '../withdrawal/withdrawal.state';

const RefusedPayoutList = defineReadModel({
  table: 'ledger_refused_payouts',
  version: 2,
  of: withdrawal,
  columns: {
    // When the bank is next asked; null if it is not asked any more, so that the index stays small.
    check_again_at: 'text?',
    // When the loss was posted; null if the bank has not made the payment, or the account was debited for it.
    posted_at: 'text?',
    status: 'text',
    record: 'json',
  },
  indices: [[], ['status'], ['check_again_at'], ['posted_at']],
  rows: ({ id, state, revision }) => {
    const record = refusedPayoutOf(state);
    if (record === undefined) return undefined;
    const { rolledBackAt, checkAgainAt, postedAt, status } = record;
    return {
      ...{ id, revision, created_at: rolledBackAt, record },
      ...{ status, check_again_at: checkAgainAt, posted_at: postedAt },
    };
  },
});

/** A refused payout whose check is due, and since when. */
export interface DueCheck {
  readonly id: string;
  readonly checkAgainAt: Timestamp;
}

/** Refused payouts, by when they are checked again. */
@Injectable()
export class RefusedPayouts extends RefusedPayoutList {
  private readonly db = this.readModels as unknown as Kysely<{
    ledger_refused_payouts_v2: RowOf<typeof RefusedPayoutList>;
  }>;

  /** A page of the payouts whose check was due by this time, the longest overdue first. */
  async due(before: Timestamp, limit: number, after?: DueCheck): Promise<readonly DueCheck[]> {
    let query = this.db
      .selectFrom('ledger_refused_payouts_v2')
      .select(['id', 'check_again_at'])
      .where('check_again_at', '<=', before);
    if (after)
      query = query.where(({ and, eb, or }) =>
        or([
          eb('check_again_at', '>', after.checkAgainAt),
          and([eb('check_again_at', '=', after.checkAgainAt), eb('id', '>', after.id)]),
        ]),
      );
    const rows = await query.orderBy('check_again_at').orderBy('id').limit(limit).execute();
    return rows.map(({ id, check_again_at: checkAgainAt }) => ({ id, checkAgainAt: checkAgainAt as Timestamp }));
  }

  /** Counts the refused payouts that the bank made anyway, at a loss of the house. */
  async countMade(): Promise<number> {
    const counted = await this.db
      .selectFrom('ledger_refused_payouts_v2')
      .where('posted_at', 'is not', null)
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .executeTakeFirst();
    return Number(counted?.count ?? 0);
  }
}

function refusedPayoutOf(state: Withdrawal): RefusedPayoutRecord | undefined {
  if (state.status !== 'rolled-back' || state.refusedPayout === null) return undefined;
  const { withdrawalId, accountId, orderId = null, target, asset, amount } = state.terms;
  if (target.method === 'token') return undefined;
  const { checkAgainAt, made } = state.refusedPayout;
  const notMade = checkAgainAt === null ? 'closed' : 'waiting';
  return {
    ...{ withdrawalId, accountId, orderId, status: made === null ? notMade : 'made' },
    ...{ method: target.method, asset, amount, reason: state.failure.code, rolledBackAt: state.since },
    ...{ checkAgainAt, endToEndId: made?.endToEndId ?? null, postedAt: made?.postedAt ?? null },
  };
}
