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
  /** Unfinished transactions of each chain: their count, and the earliest `since`. */
  async byChain(): Promise<readonly { readonly chain: Chain; readonly count: number; readonly since: string }[]> {
    const rows = await (this.readModels as Kysely<{ waiting_transactions: WaitingRow }>)
      .selectFrom('waiting_transactions')
      .select(({ fn }) => ['chain', fn.countAll().as('count'), fn.min('since').as('since')])
      .groupBy('chain')
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
