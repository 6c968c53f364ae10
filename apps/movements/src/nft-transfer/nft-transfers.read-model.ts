import { Injectable } from '@nestjs/common';
import type { NftTransferFilters, NftTransferRecord, Page, PageRequest } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { TRANSFER_COLUMNS, transferColumnsOf, transferFiltersOf } from '../transfer/transfers.read-model';
import { nftTransfer, nftTransferRecord } from './nft-transfer.decider';

/** NFT transfers by account. */
@Injectable()
export class NftTransferReadModel extends defineReadModel({
  table: 'nft_transfers',
  reader: 'movements/nftTransfer',
  of: nftTransfer,
  columns: { ...TRANSFER_COLUMNS, certificate_id: 'text', record: 'json' },
  indices: [['account_id'], ['unfinished']],
  rows: ({ state, revision }) => {
    const record = nftTransferRecord(state);
    if (!record) return undefined;
    const { id, createdAt: created_at, certificateId: certificate_id } = record;
    return { id, revision, created_at, ...transferColumnsOf(record), certificate_id, record };
  },
}) {
  /** Newest first. All accounts when `accountId` is null. */
  page(accountId: string | null, filters: NftTransferFilters, page: PageRequest): Promise<Page<NftTransferRecord>> {
    return this.records({
      where: accountId === null ? {} : { account_id: accountId },
      filters: { ...transferFiltersOf(filters), certificate_id: filters.certificateId },
      page,
    });
  }
}
