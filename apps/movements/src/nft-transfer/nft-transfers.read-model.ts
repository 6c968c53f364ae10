import { Injectable } from '@nestjs/common';
import type { NftTransferFilters, NftTransferRecord, Page, PageRequest } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import { nftTransfer, nftTransferRecord } from './nft-transfer.decider';

/** NFT transfers by account. */
@Injectable()
export class NftTransferReadModel extends defineReadModel({
  table: 'nft_transfers',
  reader: 'movements/nftTransfer',
  of: nftTransfer,
  columns: {
    account_id: 'text',
    certificate_id: 'text',
    source_address: 'text',
    target_address: 'text',
    state: 'text',
    tx_hash: 'text?',
    external_id: 'text?',
    // 1 until it has ended, null afterwards, so that its index stays small.
    unfinished: 'integer?',
    record: 'json',
  },
  indices: [['account_id'], ['unfinished']],
  rows: ({ state, revision }) => {
    const record = nftTransferRecord(state);
    if (!record) return undefined;
    return {
      id: record.id,
      revision,
      created_at: record.createdAt,
      account_id: record.accountId,
      certificate_id: record.certificateId,
      source_address: record.sourceAddress,
      target_address: record.targetAddress,
      state: record.state,
      tx_hash: record.txHash,
      external_id: record.externalId,
      unfinished: record.state === 'created' || record.state === 'pending' ? 1 : null,
      record,
    };
  },
}) {
  /** Newest first; of every account when `accountId` is null. */
  page(accountId: string | null, filters: NftTransferFilters, page: PageRequest): Promise<Page<NftTransferRecord>> {
    const { sourceAddress, targetAddress, certificateId, state, txHash, externalId } = filters;
    return this.records({
      where: accountId === null ? {} : { account_id: accountId },
      filters: {
        source_address: sourceAddress,
        target_address: targetAddress,
        certificate_id: certificateId,
        state,
        tx_hash: txHash,
        external_id: externalId,
      },
      page,
    });
  }
}

export type NftTransferRow = RowOf<typeof NftTransferReadModel>;
