import { Inject, Injectable } from '@nestjs/common';
import type { ChainTransactionEvent, NoncesFinalized } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { VIEWS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { chainTransaction } from '../transactions/chain-transaction.decider';
import { keyFinality } from '../signer-key/key-finality.decider';
import type { Hex } from '../chain/chain.port';
import type { UnfinalRow } from './unfinal-rows.read-model';
import { unfinalRows } from './unfinal-rows.read-model';

/** A confirmed transaction whose block may still go away. */
export interface UnfinalTransaction {
  readonly id: string;
  readonly sender: Hex;
  readonly nonce: number;
  readonly txHash: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly correlationId: string;
}

interface Schema {
  unfinal_transactions: UnfinalRow;
}

const transaction = upcaster(chainTransaction.events);
const finality = upcaster(keyFinality.events);

/**
 * What is confirmed and not final yet, on chains whose blocks become final later than a movement is completed. Written
 * by the projector alone.
 */
@Injectable()
export class UnfinalTransactions {
  private readonly db: Kysely<Schema>;
  private readonly write: ReturnType<typeof unfinalRows>;

  constructor(@Inject(VIEWS) views: Kysely<unknown>) {
    this.db = views as Kysely<Schema>;
    this.write = unfinalRows(views);
  }

  async prepare(): Promise<void> {
    await this.db.schema
      .createTable('unfinal_transactions')
      .ifNotExists()
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('chain', 'text', (column) => column.notNull())
      .addColumn('sender', 'text', (column) => column.notNull())
      .addColumn('nonce', 'bigint', (column) => column.notNull())
      .addColumn('tx_hash', 'text', (column) => column.notNull())
      .addColumn('block_number', 'bigint', (column) => column.notNull())
      .addColumn('block_hash', 'text', (column) => column.notNull())
      .addColumn('correlation_id', 'text', (column) => column.notNull())
      .execute();
    await this.db.schema
      .createIndex('unfinal_transactions_by_nonce')
      .ifNotExists()
      .on('unfinal_transactions')
      .columns(['chain', 'sender', 'nonce'])
      .execute();
  }

  /** Follows a run of the log. */
  async apply(events: readonly Recorded[]): Promise<void> {
    const latest = new Map<string, UnfinalRow | null>();
    for (const recorded of events) {
      if (recorded.stream.startsWith(streamName(keyFinality.category, ''))) {
        await this.write(latest);
        latest.clear();
        await this.removeFinal(finality<NoncesFinalized>(recorded).data);
      } else if (recorded.stream.startsWith(streamName(chainTransaction.category, ''))) {
        const event = transaction<ChainTransactionEvent>(recorded);
        if (event.type === 'TransactionConfirmed' || event.type === 'TransactionRestored')
          latest.set(event.data.transactionId, rowOf(event.data, recorded));
        if (event.type === 'ReorgedAfterCompletion') latest.set(event.data.transactionId, null);
      }
    }
    await this.write(latest);
  }

  /** Those of a chain, lowest nonces first, of every key. */
  async of(chain: Chain, limit: number): Promise<UnfinalTransaction[]> {
    const rows = await this.db
      .selectFrom('unfinal_transactions')
      .selectAll()
      .where('chain', '=', chain)
      .orderBy('sender')
      .orderBy('nonce')
      .limit(limit)
      .execute();
    return rows.map(({ id, sender, nonce, tx_hash, block_number, block_hash, correlation_id: correlationId }) => ({
      id,
      sender: sender as Hex,
      nonce: Number(nonce),
      txHash: tx_hash as Hex,
      blockNumber: Number(block_number),
      blockHash: block_hash as Hex,
      correlationId,
    }));
  }

  private async removeFinal({ chain, address, below }: NoncesFinalized['data']): Promise<void> {
    await this.db
      .deleteFrom('unfinal_transactions')
      .where('chain', '=', chain)
      .where('sender', '=', address)
      .where('nonce', '<', below)
      .execute();
  }
}

type Confirmation = Pick<
  Extract<ChainTransactionEvent, { type: 'TransactionConfirmed' }>['data'],
  'transactionId' | 'chain' | 'from' | 'nonce' | 'txHash' | 'blockNumber' | 'blockHash' | 'final'
>;

/** Null where there is nothing to watch: the block is final, or the transaction is not one of ours. */
function rowOf(
  { transactionId: id, chain, from: sender, nonce, txHash, blockNumber, blockHash, final }: Confirmation,
  { revision, meta }: Recorded,
): UnfinalRow | null {
  if (final || nonce === null) return null;
  return {
    id,
    revision,
    chain,
    sender,
    nonce,
    tx_hash: txHash,
    block_number: Number(blockNumber),
    block_hash: blockHash,
    correlation_id: meta.correlationId,
  };
}
