import { Injectable } from '@nestjs/common';
import type { ChainTransactionEvent } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { isoTime } from '@ponte/kernel';
import { defineEventReadModel } from '@ponte/nest';
import { changesFrom } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { signerKey } from '../signer-key/signer-key.decider';
import { chainTransaction } from '../transactions/chain-transaction.decider';
import { TRANSACTIONS_READER } from '../transactions/pending-transactions.read-model';

interface SignedRow {
  /** Of the transaction. */
  readonly id: string;
  readonly raw: string;
  /** ISO 8601. */
  readonly signed_at: string;
}

/** More than the hour that the limits of the signer cover, because the clocks of processes differ. */
const KEPT_MS = 2 * 3_600_000;

/** What all processes have signed lately, without replacements with raised fees. */
@Injectable()
export class SignedBytes extends defineEventReadModel<SignedRow>({
  table: 'signed_bytes',
  reader: TRANSACTIONS_READER,
  columns: { id: 'text', raw: 'text', signed_at: 'text' },
  key: ['id'],
  indices: [['signed_at']],
  from: [
    changesFrom(chainTransaction, ({ type, data, meta }: Recorded<ChainTransactionEvent>) =>
      type === 'TransactionSigned'
        ? { put: { id: data.transactionId, raw: data.raw, signed_at: meta.occurredAt } }
        : undefined,
    ),
    // Every signature follows an allocation, so old rows are removed as often as new ones are added.
    changesFrom(signerKey, ({ meta: { occurredAt } }) => ({
      removeWhere: ({ and, eb }) => and([eb('signed_at', '<', isoTime(Date.parse(occurredAt) - KEPT_MS))]),
    })),
  ],
}) {
  /** The transactions that were signed at that time (ISO 8601) or later, oldest first. */
  since(at: string): Promise<Pick<SignedRow, 'id' | 'signed_at'>[]> {
    return (this.readModels as Kysely<{ signed_bytes: SignedRow }>)
      .selectFrom('signed_bytes')
      .select(['id', 'signed_at'])
      .where('signed_at', '>=', at)
      .orderBy('signed_at')
      .execute();
  }

  /** The signed bytes of these transactions, oldest first. */
  bytesOf(ids: readonly string[]): Promise<SignedRow[]> {
    return this.select((rows) => rows.where('id', 'in', [...ids]).orderBy('signed_at'));
  }
}
