import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { deposit } from '../deposit/deposit.decider';

const SetAsideList = defineReadModel({
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
});

/** Deposits of tokens of closed accounts that were set aside. */
@Injectable()
export class SetAsides extends SetAsideList {
  private readonly db = this.readModels as unknown as Kysely<{ ledger_set_asides: RowOf<typeof SetAsideList> }>;

  /** When the oldest that staff have not settled was set aside; null without one. */
  async oldestUnsettled(): Promise<Timestamp | null> {
    const row = await this.db
      .selectFrom('ledger_set_asides')
      .select(({ fn }) => fn.min('unsettled_since').as('since'))
      .where('unsettled_since', 'is not', null)
      .executeTakeFirst();
    return row?.since ?? null;
  }
}
