import { Injectable } from '@nestjs/common';
import type {
  AnyTransferFilters,
  AnyTransferRecord,
  Page,
  PageRequest,
  TransferFilters,
  TransferRecord,
} from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import { transfer, transferRecord } from './transfer.decider';

/** The columns of both lists of transfers. */
export const TRANSFER_COLUMNS = {
  account_id: 'text',
  source_address: 'text',
  target_address: 'text',
  state: 'text',
  tx_hash: 'text?',
  external_id: 'text?',
  // 1 until it has ended, then null, so that the index stays small.
  unfinished: 'integer?',
} as const;

export const transferColumnsOf = (record: AnyTransferRecord) => ({
  account_id: record.accountId,
  source_address: record.sourceAddress,
  target_address: record.targetAddress,
  state: record.state,
  tx_hash: record.txHash,
  external_id: record.externalId,
  unfinished: record.state === 'created' || record.state === 'pending' ? 1 : null,
});

export const transferFiltersOf = (filters: AnyTransferFilters) => ({
  source_address: filters.sourceAddress,
  target_address: filters.targetAddress,
  state: filters.state,
  tx_hash: filters.txHash,
  external_id: filters.externalId,
});

/** Transfers by account, and open transfers. */
@Injectable()
export class TransferReadModel extends defineReadModel({
  table: 'transfers',
  reader: 'movements/transfer',
  of: transfer,
  columns: { ...TRANSFER_COLUMNS, asset: 'text', record: 'json' },
  indices: [['account_id'], ['unfinished']],
  rows: ({ state, revision }) => {
    const record = transferRecord(state);
    if (!record) return undefined;
    const { id, createdAt: created_at, asset } = record;
    return { id, revision, created_at, ...transferColumnsOf(record), asset, record };
  },
}) {
  /** Newest first. All accounts when `accountId` is null. */
  page(accountId: string | null, filters: TransferFilters, page: PageRequest): Promise<Page<TransferRecord>> {
    return this.records({
      where: accountId === null ? {} : { account_id: accountId },
      filters: { ...transferFiltersOf(filters), asset: filters.asset },
      page,
    });
  }
}

export type TransferRow = RowOf<typeof TransferReadModel>;
