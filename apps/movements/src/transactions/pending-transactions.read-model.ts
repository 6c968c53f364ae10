import { Injectable } from '@nestjs/common';
import type { ChainTransactionEvent } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { defineEventReadModel } from '@ponte/nest';
import type { Change, RowQuery } from '@ponte/read-models';
import { changesFrom } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { chainTransaction } from './chain-transaction.decider';

/** Name of the projector of unfinished transactions, which also notifies the watchers. */
export const TRANSACTIONS_READER = 'movements/chainTransaction';

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

/** A transaction that is not signed, and since when it waits. */
export interface Unsigned extends PendingTransaction {
  readonly since: string;
}

interface PendingRow {
  readonly id: string;
  readonly revision: number;
  readonly chain: Chain;
  readonly sender: string;
  /** Both null until it is signed. */
  readonly nonce: number | null;
  readonly tx_hash: string | null;
  /** When it reached its current state, or its fees were raised, ISO 8601. */
  readonly since: string;
  readonly correlation_id: string;
}

/**
 * The unfinished transactions of the chains. A row is added by the intent, or by a reorg that removes a confirmed
 * transaction, and removed when the transaction ends.
 */
@Injectable()
export class PendingTransactions extends defineEventReadModel<PendingRow>({
  table: 'pending_transactions',
  reader: TRANSACTIONS_READER,
  columns: {
    id: 'text',
    revision: 'integer',
    chain: 'text',
    sender: 'text',
    nonce: 'integer?',
    tx_hash: 'text?',
    since: 'text',
    correlation_id: 'text',
  },
  key: ['id'],
  indices: [['chain', 'sender', 'nonce']],
  from: [changesFrom(chainTransaction, changeOf)],
}) {
  /** The number of unfinished transactions of each key on each chain, and the lowest of their ids. */
  async bySender(): Promise<
    readonly { readonly chain: Chain; readonly sender: string; readonly count: number; readonly example: string }[]
  > {
    const rows = await (this.readModels as Kysely<{ pending_transactions: PendingRow }>)
      .selectFrom('pending_transactions')
      .select(({ fn }) => ['chain', 'sender', fn.countAll().as('count'), fn.min('id').as('example')])
      .groupBy(['chain', 'sender'])
      .execute();
    return rows.map((row) => ({ ...row, count: Number(row.count) }));
  }

  /** Signed transactions whose nonce the chain has used, lowest nonce first, beginning with the nonce `from`. */
  used(key: KeyOnChain, limit: number, from = 0): Promise<PendingTransaction[]> {
    return this.of(key, (rows) =>
      rows.where('nonce', '>=', from).where('nonce', '<', key.minedCount).orderBy('nonce').limit(limit),
    );
  }

  /** Transactions that are not signed, unchanged since `before`, oldest first, beginning after another one. */
  unsigned(key: KeyOnChain, before: string, limit: number, after?: Unsigned): Promise<Unsigned[]> {
    return this.of(key, (rows) => {
      const waiting = rows.where('nonce', 'is', null).where('since', '<=', before).orderBy('since').orderBy('id');
      const page = waiting.limit(limit);
      if (after === undefined) return page;
      const { since, id } = after;
      return page.where((row) =>
        row.or([row('since', '>', since), row.and([row('since', '=', since), row('id', '>', id)])]),
      );
    });
  }

  /**
   * Signed transactions whose nonce the chain waits for, unchanged since `before`, lowest nonce first. Unsigned ones
   * are not included, so those that wait for long cannot fill the limit.
   */
  unmined(key: KeyOnChain, before: string, limit: number): Promise<PendingTransaction[]> {
    return this.of(key, (rows) =>
      rows.where('nonce', '>=', key.minedCount).where('since', '<=', before).orderBy('nonce').limit(limit),
    );
  }

  /** Unfinished transactions on a chain that are signed, of all keys. */
  async signedOn(
    chain: Chain,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly sender: string; readonly nonce: number }[]> {
    const rows = await this.select((all) => all.where('chain', '=', chain).where('nonce', 'is not', null).limit(limit));
    return rows.map(({ id, sender, nonce }) => ({ id, sender, nonce: nonce as number }));
  }

  /** Those of these transactions that are unfinished. */
  async among(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    return new Set((await this.select((rows) => rows.where('id', 'in', ids))).map(({ id }) => id));
  }

  /** The correlation id of an unfinished transaction. */
  async correlationIdOf(id: string): Promise<string | undefined> {
    return (await this.select((rows) => rows.where('id', '=', id)))[0]?.correlation_id;
  }

  /** The lowest nonce of a signed transaction that has not ended, or null. */
  async lowest(chain: Chain, sender: string): Promise<number | null> {
    const signed = { chain, sender, minedCount: 0 };
    const [first] = await this.of(signed, (rows) => rows.where('nonce', 'is not', null).orderBy('nonce').limit(1));
    return first?.nonce ?? null;
  }

  private async of(
    { chain, sender }: KeyOnChain,
    narrow: (rows: RowQuery<PendingRow>) => RowQuery<PendingRow>,
  ): Promise<(PendingTransaction & { readonly since: string })[]> {
    const rows = await this.select((all) => narrow(all.where('chain', '=', chain).where('sender', '=', sender)));
    return rows.map(({ id, nonce, tx_hash, since, correlation_id }) => ({
      id,
      nonce,
      txHash: tx_hash,
      since,
      correlationId: correlation_id,
    }));
  }
}

function changeOf(event: Recorded<ChainTransactionEvent>): Change<PendingRow> | undefined {
  const { transactionId: id, chain } = event.data;
  const { occurredAt: since, correlationId: correlation_id } = event.meta;
  const row = { id, revision: event.revision, chain, since, correlation_id };
  switch (event.type) {
    case 'TransactionIntended':
      return { put: { ...row, sender: event.data.from, nonce: null, tx_hash: null } };
    case 'TransactionSigned':
    case 'TransactionFeeRaised':
    case 'ReorgedAfterCompletion':
      return { put: { ...row, sender: event.data.from, nonce: event.data.nonce, tx_hash: event.data.txHash } };
    case 'TransactionRefused':
    case 'TransactionFunded':
      return undefined;
    case 'TransactionGivenUp':
    case 'TransactionConfirmed':
    case 'TransactionRestored':
    case 'TransactionReverted':
    case 'TransactionLost':
    case 'TransactionSuperseded':
      return { remove: id };
  }
}
