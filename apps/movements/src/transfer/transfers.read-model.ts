import { Injectable } from '@nestjs/common';
import type { Page, PageRequest, TransferFilters, TransferRecord } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import { transfer, transferRecord } from './transfer.decider';

/** Transfers by account, and those that have not ended. */
@Injectable()
export class TransferReadModel extends defineReadModel({
  table: 'transfers',
  reader: 'movements/transfer',
  of: transfer,
  columns: {
    account_id: 'text',
    source_address: 'text',
    target_address: 'text',
    asset: 'text',
    state: 'text',
    tx_hash: 'text?',
    external_id: 'text?',
    // 1 until it has ended, null afterwards, so that its index stays small.
    unfinished: 'integer?',
    record: 'json',
  },
  indices: [['account_id'], ['unfinished']],
  rows: ({ state, revision }) => {
    const record = transferRecord(state);
    if (!record) return undefined;
    return {
      id: record.id,
      revision,
      created_at: record.createdAt,
      account_id: record.accountId,
      source_address: record.sourceAddress,
      target_address: record.targetAddress,
      asset: record.asset,
      state: record.state,
      tx_hash: record.txHash,
      external_id: record.externalId,
      unfinished: record.state === 'created' || record.state === 'pending' ? 1 : null,
      record,
    };
  },
}) {
  /** Newest first; of every account when `accountId` is null. */
  page(accountId: string | null, filters: TransferFilters, page: PageRequest): Promise<Page<TransferRecord>> {
    const { sourceAddress, targetAddress, asset, state, txHash, externalId } = filters;
    return this.records({
      where: accountId === null ? {} : { account_id: accountId },
      filters: {
        source_address: sourceAddress,
        target_address: targetAddress,
        asset,
        state,
        tx_hash: txHash,
        external_id: externalId,
      },
      page,
    });
  }
}

export type TransferRow = RowOf<typeof TransferReadModel>;
