import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { deposit } from '../deposit/deposit.decider';
import { mayBeReturnedTwice, refundOf } from '../deposit/deposit.state';

const UnfinishedReturnList = defineReadModel({
  table: 'ledger_returns',
  reader: 'ledger-lists',
  of: deposit,
  // Null once the bank has finished the return or refused it permanently.
  columns: { unfinished_since: 'text?' },
  indices: [['unfinished_since']],
  rows: ({ id, state, revision }) => {
    const refund = refundOf(state);
    if (!refund) return undefined;
    const { requestedAt, takenBackAt } = refund;
    const isUnfinished = refund.state === 'due' || mayBeReturnedTwice(state);
    return {
      id,
      revision,
      created_at: requestedAt,
      unfinished_since: isUnfinished ? (takenBackAt ?? requestedAt) : null,
    };
  },
});

/** A return by the id of its deposit, and since when it has been due. */
export interface DueReturn {
  readonly id: string;
  readonly since: Timestamp;
}

/** Returns of received payments, and since when the bank has not finished them. */
@Injectable()
export class UnfinishedReturns extends UnfinishedReturnList {
  private readonly db = this.readModels as unknown as Kysely<{ ledger_returns: RowOf<typeof UnfinishedReturnList> }>;

  /**
   * Since when the oldest return that the bank has not finished has been due; null without one. For a return whose
   * payment the bank took back, it is the time of the take-back, because it became uncertain only then.
   */
  async oldest(): Promise<Timestamp | null> {
    const row = await this.db
      .selectFrom('ledger_returns')
      .select(({ fn }) => fn.min('unfinished_since').as('since'))
      .where('unfinished_since', 'is not', null)
      .executeTakeFirst();
    return row?.since ?? null;
  }

  /** Returns that the bank has not finished, due since before the time, longest due first; those after one of them. */
  async due(before: Timestamp, after: DueReturn | null, limit: number): Promise<readonly DueReturn[]> {
    const rows = await this.db
      .selectFrom('ledger_returns')
      .select(['id', 'unfinished_since'])
      .where('unfinished_since', '<=', before)
      .$if(after !== null, (query) =>
        query.where(({ eb, and, or }) =>
          or([
            eb('unfinished_since', '>', after?.since ?? ''),
            and([eb('unfinished_since', '=', after?.since ?? ''), eb('id', '>', after?.id ?? '')]),
          ]),
        ),
      )
      .orderBy('unfinished_since')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id, unfinished_since: since }) => ({ id, since: since ?? before }));
  }

  /** Those of the deposits that have a return that the bank has not finished. */
  async among(depositIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (depositIds.length === 0) return new Set();
    const rows = await this.db
      .selectFrom('ledger_returns')
      .select('id')
      .where('id', 'in', depositIds)
      .where('unfinished_since', 'is not', null)
      .execute();
    return new Set(rows.map(({ id }) => id));
  }
}
