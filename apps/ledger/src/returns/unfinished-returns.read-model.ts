import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { deposit } from '../deposit/deposit.decider';
import { mayBeReturnedTwice, refundOf } from '../deposit/deposit.state';

/** Returns of received payments, and since when the bank has not finished them. */
@Injectable()
export class UnfinishedReturns extends defineReadModel({
  table: 'ledger_returns',
  reader: 'ledger-lists',
  of: deposit,
  // Null while the return is blocked, and once the bank has finished it or refused it permanently.
  columns: { unfinished_since: 'text?' },
  indices: [['unfinished_since']],
  rows: ({ id, state, revision }) => {
    const refund = refundOf(state);
    if (!refund) return undefined;
    const { requestedAt, unblockedAt, takenBackAt } = refund;
    const isUnfinished = (refund.state === 'due' && refund.blockedAt === undefined) || mayBeReturnedTwice(state);
    return {
      id,
      revision,
      created_at: requestedAt,
      unfinished_since: isUnfinished ? (takenBackAt ?? unblockedAt ?? requestedAt) : null,
    };
  },
}) {
  /**
   * Since when the oldest return that the bank has not finished has been due; null without one. A return that was
   * blocked counts from its release, and one whose payment the bank took back from the take-back, because it became
   * uncertain only then.
   */
  oldest(): Promise<Timestamp | null> {
    return this.table.earliest('unfinished_since');
  }

  /** The ids of the deposits whose return has been due since this time or longer, longest due first, in pages. */
  due(before: Timestamp, pageSize?: number): AsyncGenerator<readonly string[]> {
    return this.table.due('unfinished_since', before, { pageSize });
  }

  /** Those of the deposits that have a return that the bank has not finished. */
  async among(depositIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (depositIds.length === 0) return new Set();
    const rows = await this.table.rows
      .select('id')
      .where('id', 'in', depositIds)
      .where('unfinished_since', 'is not', null)
      .execute();
    return new Set(rows.map(({ id }) => id));
  }
}
