import { Injectable } from '@nestjs/common';
import type { ChainTransactionEvent } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { defineEventReadModel } from '@ponte/nest';
import type { Change } from '@ponte/read-models';
import { changesFrom } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { chainTransaction } from './chain-transaction.decider';
import { TRANSACTIONS_READER } from './pending-transactions.read-model';

interface WaitingRow {
  readonly id: string;
  readonly chain: Chain;
  /** When it reached its current state, ISO 8601. A raised fee does not change the state. */
  readonly since: string;
}

interface Tables {
  readonly waiting_transactions: WaitingRow;
  readonly pending_transactions: Pick<WaitingRow, 'id' | 'chain' | 'since'>;
}

/**
 * How long the unfinished transactions have been in their states. `PendingTransactions` cannot tell: there, each raise
 * of the fees begins the wait for the next one.
 */
@Injectable()
export class WaitingTransactions extends defineEventReadModel<WaitingRow>({
  table: 'waiting_transactions',
  reader: TRANSACTIONS_READER,
  columns: { id: 'text', chain: 'text', since: 'text' },
  key: ['id'],
  from: [changesFrom(chainTransaction, changeOf)],
}) {
  /**
   * Unfinished transactions of each chain: their count, and the earliest `since`. `PendingTransactions` says which ones
   * are unfinished: transactions that were already waiting when this table was introduced have no row here.
   */
  async byChain(): Promise<readonly { readonly chain: Chain; readonly count: number; readonly since: string }[]> {
    const rows = await (this.readModels as Kysely<Tables>)
      .selectFrom('pending_transactions as pending')
      .leftJoin('waiting_transactions as waiting', 'waiting.id', 'pending.id')
      .select(({ fn }) => [
        'pending.chain as chain',
        fn.countAll().as('count'),
        fn.min(fn.coalesce('waiting.since', 'pending.since')).as('since'),
      ])
      .groupBy('pending.chain')
      .execute();
    return rows.map(({ chain, count, since }) => ({ chain, count: Number(count), since }));
  }
}

function changeOf({ type, data, meta }: Recorded<ChainTransactionEvent>): Change<WaitingRow> | undefined {
  switch (type) {
    case 'TransactionIntended':
    case 'TransactionSigned':
    case 'ReorgedAfterCompletion':
      return { put: { id: data.transactionId, chain: data.chain, since: meta.occurredAt } };
    case 'TransactionFeeRaised':
    case 'TransactionRefused':
    case 'TransactionFunded':
      return undefined;
    case 'TransactionGivenUp':
    case 'TransactionConfirmed':
    case 'TransactionRestored':
    case 'TransactionReverted':
    case 'TransactionLost':
    case 'TransactionSuperseded':
      return { remove: data.transactionId };
  }
}
