import type { NftTransferEvent, NftTransferFilters, NftTransferRecord, Page, PageRequest } from '@ponte/contracts';
import type { Recorded, StreamFolds } from '@ponte/event-sourcing';
import type { NftTransfer } from './nft-transfer.decider';
import { nftTransferRecord } from './nft-transfer.decider';
import type { NftTransferRow, NftTransfersTable } from './nft-transfers-table.port';

/** The row of an NFT transfer at a revision of its stream; none before it was created. */
export function nftTransferRows(state: NftTransfer, revision: number): NftTransferRow[] {
  const record = nftTransferRecord(state);
  if (!record) return [];
  return [
    {
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
    },
  ];
}

/** The rows of the transfers that changed in a run of the log. */
export async function changedNftTransferRows(
  folds: StreamFolds<NftTransfer, NftTransferEvent>,
  events: readonly Recorded[],
): Promise<NftTransferRow[]> {
  return [...(await folds.add(events))].flatMap(([, { state, revision }]) => nftTransferRows(state, revision));
}

/** Newest first; of every account when `accountId` is null. */
export async function nftTransfersPage(
  table: NftTransfersTable,
  accountId: string | null,
  filters: NftTransferFilters,
  page: PageRequest,
): Promise<Page<NftTransferRecord>> {
  const { sourceAddress, targetAddress, certificateId, state, txHash, externalId } = filters;
  const { items, next } = await table.page({
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
  return { items: items.map(({ record }) => record), next };
}
