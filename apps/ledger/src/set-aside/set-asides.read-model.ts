import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { deposit } from '../deposit/deposit.decider';

/** Deposits of tokens of closed accounts that were set aside. */
@Injectable()
export class SetAsides extends defineReadModel({
  table: 'ledger_set_asides',
  of: deposit,
  columns: {
    // When the tokens were set aside; null once they are settled.
    unsettled_since: 'text?',
  },
  indices: [['unsettled_since']],
  rows: ({ id, state, revision }) => {
    if (state.status === 'none' || state.suspense?.cause !== 'set-aside') return undefined;
    const { postedAt, settledAt } = state.suspense;
    return { id, revision, created_at: postedAt, unsettled_since: settledAt === null ? postedAt : null };
  },
}) {
  /** When the oldest that staff have not settled was set aside; null without one. */
  oldestUnsettled(): Promise<Timestamp | null> {
    return this.table.earliest('unsettled_since');
  }
}
