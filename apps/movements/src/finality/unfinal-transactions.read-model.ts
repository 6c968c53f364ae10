import { Injectable } from '@nestjs/common';
import type { ChainTransactionEvent } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { defineEventReadModel } from '@ponte/nest';
import type { Change } from '@ponte/read-models';
import { changesFrom } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { chainTransaction } from '../transactions/chain-transaction.decider';
import { keyFinality } from '../signer-key/key-finality.decider';
import type { Hex } from '../chain/chain.port';
import { TRANSACTIONS_READER } from '../transactions/pending-transactions.read-model';

/** A confirmed transaction whose block may still be replaced. */
export interface UnfinalTransaction {
  readonly id: string;
  readonly sender: Hex;
  readonly nonce: number;
  readonly txHash: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly correlationId: string;
}

interface UnfinalRow {
  readonly id: string;
  readonly revision: number;
  readonly chain: Chain;
  readonly sender: string;
  readonly nonce: number;
  readonly tx_hash: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly correlation_id: string;
  /** ISO 8601; null in a row that an earlier release wrote. */
  readonly confirmed_at: string | null;
}

/** Confirmed transactions that are not final yet, on chains where a movement completes before finality. */
@Injectable()
export class UnfinalTransactions extends defineEventReadModel<UnfinalRow>({
  table: 'unfinal_transactions',
  reader: TRANSACTIONS_READER,
  columns: {
    id: 'text',
    revision: 'integer',
    chain: 'text',
    sender: 'text',
    nonce: 'integer',
    tx_hash: 'text',
    block_number: 'integer',
    block_hash: 'text',
    correlation_id: 'text',
    confirmed_at: 'text?',
  },
  key: ['id'],
  indices: [['chain', 'sender', 'nonce']],
  from: [
    changesFrom(chainTransaction, changeOf),
    changesFrom(keyFinality, ({ data: { chain, address, below } }) => ({
      removeWhere: ({ and, eb }) => and([eb('chain', '=', chain), eb('sender', '=', address), eb('nonce', '<', below)]),
    })),
  ],
}) {
  /** The number of transactions of each key on each chain. */
  async bySender(): Promise<readonly { readonly chain: Chain; readonly sender: string; readonly count: number }[]> {
    const rows = await (this.readModels as Kysely<{ unfinal_transactions: UnfinalRow }>)
      .selectFrom('unfinal_transactions')
      .select(({ fn }) => ['chain', 'sender', fn.countAll().as('count')])
      .groupBy(['chain', 'sender'])
      .execute();
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  }

  /** When the oldest transaction of each chain was confirmed, ISO 8601; null if none of its rows says so. */
  async oldest(): Promise<readonly { readonly chain: Chain; readonly confirmedAt: string | null }[]> {
    return (this.readModels as Kysely<{ unfinal_transactions: UnfinalRow }>)
      .selectFrom('unfinal_transactions')
      .select(({ fn }) => ['chain', fn.min('confirmed_at').as('confirmedAt')])
      .groupBy('chain')
      .execute();
  }

  /**
   * The transactions of a key on a chain in nonce order, in pages of at most this size. Reads each page when it is asked
   * for.
   */
  async *pages(chain: Chain, sender: Hex, size: number): AsyncGenerator<readonly UnfinalTransaction[]> {
    for (let next: number | undefined = 0; next !== undefined;) {
      const lowest: number = next;
      const rows = await this.select((all) =>
        all
          .where('chain', '=', chain)
          .where('sender', '=', sender)
          .where('nonce', '>=', lowest)
          .orderBy('nonce')
          .limit(size),
      );
      if (rows.length > 0) yield rows.map(transactionOf);
      const last = rows.at(-1);
      next = last === undefined || rows.length < size ? undefined : last.nonce + 1;
    }
  }
}

const transactionOf = (row: UnfinalRow): UnfinalTransaction => ({
  id: row.id,
  sender: row.sender as Hex,
  nonce: row.nonce,
  txHash: row.tx_hash as Hex,
  blockNumber: row.block_number,
  blockHash: row.block_hash as Hex,
  correlationId: row.correlation_id,
});

/** A transaction need not be watched when its block is final or when it is not one of ours. */
function changeOf({ type, data, revision, meta }: Recorded<ChainTransactionEvent>): Change<UnfinalRow> | undefined {
  if (type === 'ReorgedAfterCompletion') return { remove: data.transactionId };
  if (type !== 'TransactionConfirmed' && type !== 'TransactionRestored') return undefined;
  const { transactionId: id, chain, from: sender, nonce, txHash, blockNumber, blockHash, final } = data;
  if (final || nonce === null) return { remove: id };
  const block = { block_number: Number(blockNumber), block_hash: blockHash };
  const { correlationId: correlation_id, occurredAt: confirmed_at } = meta;
  return { put: { id, revision, chain, sender, nonce, tx_hash: txHash, ...block, correlation_id, confirmed_at } };
}
