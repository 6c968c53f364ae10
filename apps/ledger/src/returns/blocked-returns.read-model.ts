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
  columns: { blocked_since: 'text?' },
  indices: [['blocked_since']],
  rows: ({ id, state, revision }) => {
    const { blockedAt, unblockedAt, requestedAt } = refundOf(state) ?? {};
    const isKnown = blockedAt !== undefined || unblockedAt !== undefined;
    if (requestedAt === undefined || !isKnown) return undefined;
    return { id, revision, created_at: requestedAt, blocked_since: blockedAt ?? null };
  },
}) {
  /** Since when the oldest one has been blocked; null without one. */
  oldest(): Promise<Timestamp | null> {
    return this.table.earliest('blocked_since');
  }
}
