import { Inject, Injectable } from '@nestjs/common';
import type { ChainTransactionEvent } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { streamName, upcaster } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { VIEWS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { chainTransaction } from './chain-transaction.decider';
import type { PendingRow } from './pending-rows.read-model';
import { pendingRows } from './pending-rows.read-model';

/** A key on a chain, and how many of its transactions the chain has mined. */
export interface KeyOnChain {
  readonly chain: Chain;
  readonly sender: string;
  readonly minedCount: number;
}

/** A transaction that has not ended. */
export interface PendingTransaction {
  readonly id: string;
  /** Both null until it is signed. */
  readonly nonce: number | null;
  readonly txHash: string | null;
  readonly correlationId: string;
}

const isTransaction = ({ stream }: Recorded): boolean => stream.startsWith(streamName(chainTransaction.category, ''));

interface Schema {
  pending_transactions: PendingRow;
}

const current = upcaster(chainTransaction.events);

/**
 * What is unfinished on the chains: rows come with the intent, or with a reorg that takes the end back, and go with the
 * end. Written by the projector alone.
 */
@Injectable()
export class PendingTransactions {
  private readonly db: Kysely<Schema>;
  private readonly write: ReturnType<typeof pendingRows>;

  constructor(@Inject(VIEWS) views: Kysely<unknown>) {
    this.db = views as Kysely<Schema>;
    this.write = pendingRows(views);
  }

  async prepare(): Promise<void> {
    await this.db.schema
      .createTable('pending_transactions')
      .ifNotExists()
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('chain', 'text', (column) => column.notNull())
      .addColumn('sender', 'text', (column) => column.notNull())
      .addColumn('nonce', 'bigint')
      .addColumn('tx_hash', 'text')
      .addColumn('since', 'text', (column) => column.notNull())
      .addColumn('correlation_id', 'text', (column) => column.notNull())
      .execute();
    await this.db.schema
      .createIndex('pending_transactions_by_nonce')
      .ifNotExists()
      .on('pending_transactions')
      .columns(['chain', 'sender', 'nonce'])
      .execute();
  }

  /**
   * Follows a run of the log. Answers the chains on which something was signed or has ended, so that there is something
   * to look at.
   */
  async apply(events: readonly Recorded[]): Promise<ReadonlySet<Chain>> {
    const latest = new Map<string, PendingRow | null>();
    const changed = new Set<Chain>();
    for (const recorded of events) {
      if (!isTransaction(recorded)) continue;
      const event = current<ChainTransactionEvent>(recorded);
      const { transactionId: id, chain } = event.data;
      const row = {
        id,
        revision: recorded.revision,
        chain,
        since: recorded.meta.occurredAt,
        correlation_id: recorded.meta.correlationId,
      };
      switch (event.type) {
        case 'TransactionIntended':
          latest.set(id, { ...row, sender: event.data.from, nonce: null, tx_hash: null });
          break;
        case 'TransactionSigned':
        case 'TransactionFeeRaised':
        case 'ReorgedAfterCompletion':
          latest.set(id, { ...row, sender: event.data.from, nonce: event.data.nonce, tx_hash: event.data.txHash });
          changed.add(chain);
          break;
        case 'TransactionFunded':
          break;
        case 'TransactionGivenUp':
        case 'TransactionConfirmed':
        case 'TransactionRestored':
        case 'TransactionReverted':
        case 'TransactionLost':
        case 'TransactionSuperseded':
          latest.set(id, null);
          changed.add(chain);
          break;
      }
    }
    await this.write(latest);
    return changed;
  }

  /** How many are unfinished on each chain, and since when the oldest of them stands where it stands. */
  async byChain(): Promise<readonly { readonly chain: Chain; readonly count: number; readonly since: string }[]> {
    const rows = await this.db
      .selectFrom('pending_transactions')
      .select(({ fn }) => ['chain', fn.countAll().as('count'), fn.min('since').as('since')])
      .groupBy('chain')
      .execute();
    return rows.map(({ chain, count, since }) => ({ chain, count: Number(count), since }));
  }

  /** Signed, with a nonce that the chain has used: lowest first. */
  async used(key: KeyOnChain, limit: number): Promise<PendingTransaction[]> {
    return this.select(this.rows(key).where('nonce', '<', key.minedCount).orderBy('nonce').limit(limit));
  }

  /**
   * Those that are not signed, and those whose nonce the chain waits for, standing so since before the time: lowest
   * nonce first.
   */
  async unsent(key: KeyOnChain, before: string, limit: number): Promise<PendingTransaction[]> {
    return this.select(
      this.rows(key)
        .where((row) => row.or([row('nonce', 'is', null), row('nonce', '>=', key.minedCount)]))
        .where('since', '<=', before)
        .orderBy(sql`coalesce(nonce, -1)`)
        .orderBy('since')
        .limit(limit),
    );
  }

  /**
   * Signed, with a nonce that the chain waits for, standing so since before the time: lowest nonce first. Payments that
   * wait for the treasury are not signed, and so cannot hide these.
   */
  async unmined(key: KeyOnChain, before: string, limit: number): Promise<PendingTransaction[]> {
    const waiting = this.rows(key).where('nonce', '>=', key.minedCount).where('since', '<=', before);
    return this.select(waiting.orderBy('nonce').limit(limit));
  }

  /** What is unfinished on a chain, of every key. */
  async idsOf(chain: Chain, limit: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom('pending_transactions')
      .select('id')
      .where('chain', '=', chain)
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** The lowest nonce that is signed and has not ended, or null. */
  async lowest(chain: Chain, sender: string): Promise<number | null> {
    const row = await this.db
      .selectFrom('pending_transactions')
      .select(({ fn }) => fn.min('nonce').as('nonce'))
      .where('chain', '=', chain)
      .where('sender', '=', sender)
      .executeTakeFirst();
    return row?.nonce === null || row?.nonce === undefined ? null : Number(row.nonce);
  }

  private rows({ chain, sender }: KeyOnChain) {
    return this.db
      .selectFrom('pending_transactions')
      .select(['id', 'nonce', 'tx_hash', 'correlation_id'])
      .where('chain', '=', chain)
      .where('sender', '=', sender);
  }

  private async select(query: {
    execute(): Promise<Pick<PendingRow, 'id' | 'nonce' | 'tx_hash' | 'correlation_id'>[]>;
  }): Promise<PendingTransaction[]> {
    return (await query.execute()).map(({ id, nonce, tx_hash: txHash, correlation_id: correlationId }) => ({
      id,
      nonce: nonce === null ? null : Number(nonce),
      txHash,
      correlationId,
    }));
  }
}
