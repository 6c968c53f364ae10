import { Injectable } from '@nestjs/common';
import type { RefusedPayoutRecord, Timestamp } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { withdrawal } from '../withdrawal/withdrawal.decider';
import type { Withdrawal } from '../withdrawal/withdrawal.state';

/** Refused payouts, by when they are checked again. */
@Injectable()
export class RefusedPayouts extends defineReadModel({
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
}) {
  /** The ids of the payouts whose check was due by this time, the longest overdue first, in pages. */
  due(before: Timestamp): AsyncGenerator<readonly string[]> {
    return this.table.due('check_again_at', before);
  }

  /** Counts the refused payouts that the bank made anyway, at a loss of the house. */
  countMade(): Promise<number> {
    return this.table.count((rows) => rows.where('posted_at', 'is not', null));
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
