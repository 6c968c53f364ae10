import type { Page, PageRequest, TransferEvent, TransferFilters, TransferRecord } from '@ponte/contracts';
import type { Recorded, StreamFolds } from '@ponte/event-sourcing';
import type { Transfer } from './transfer.decider';
import { transferRecord } from './transfer.decider';
import type { TransferRow, TransfersTable } from './transfers-table.port';

/** The row of a transfer at a revision of its stream; undefined while none was created. */
export function transferRow(state: Transfer, revision: number): TransferRow | undefined {
  const record = transferRecord(state);
  if (!record) return undefined;
  const { id, accountId, sourceAddress, targetAddress, asset, txHash, externalId, createdAt } = record;
  return {
    id,
    revision,
    created_at: createdAt,
    account_id: accountId,
    source_address: sourceAddress,
    target_address: targetAddress,
    asset,
    state: record.state,
    tx_hash: txHash,
    external_id: externalId,
    unfinished: record.state === 'created' || record.state === 'pending' ? 1 : null,
    record,
  };
}

/** The rows of the transfers that changed in a run of the log. */
export async function transferReadModel(
  folds: StreamFolds<Transfer, TransferEvent>,
  events: readonly Recorded[],
): Promise<TransferRow[]> {
  return [...(await folds.add(events))].flatMap(([, { state, revision }]) => transferRow(state, revision) ?? []);
}

/** Newest first. */
export async function transfersPage(
  table: TransfersTable,
  accountId: string | null,
  filters: TransferFilters,
  page: PageRequest,
): Promise<Page<TransferRecord>> {
  const { sourceAddress, targetAddress, asset, state, txHash, externalId } = filters;
  const { items, next } = await table.page({
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
  return { items: items.map(({ record }) => record), next };
}
