import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { deposit } from '../deposit/deposit.decider';
import { refundOf } from '../deposit/deposit.state';

/** Returns of payments that are or were blocked while money must not leave the account. */
@Injectable()
export class BlockedReturns extends defineReadModel({
  table: 'ledger_blocked_returns',
  reader: 'ledger-lists',
  of: deposit,
  // `blocked_since` is null once the return is no longer blocked.
  columns: { account_id: 'text', blocked_since: 'text?' },
  indices: [['account_id'], ['blocked_since']],
  rows: ({ id, state, revision }) => {
    const { blockedAt, unblockedAt, requestedAt } = refundOf(state) ?? {};
    const isKnown = blockedAt !== undefined || unblockedAt !== undefined;
    if (state.status === 'none' || state.facts.accountId === null || requestedAt === undefined || !isKnown)
      return undefined;
    const { accountId: account_id } = state.facts;
    return { id, revision, created_at: requestedAt, account_id, blocked_since: blockedAt ?? null };
  },
}) {
  /** Since when the oldest one has been blocked; null without one. */
  oldest(): Promise<Timestamp | null> {
    return this.table.earliest('blocked_since');
  }

  /** The deposits of an account whose return is blocked, at most `limit`. */
  async of(accountId: string, limit: number): Promise<readonly { readonly id: string }[]> {
    return this.table.rows
      .select('id')
      .where('account_id', '=', accountId)
      .where('blocked_since', 'is not', null)
      .orderBy('blocked_since')
      .limit(limit)
      .execute();
  }
}
