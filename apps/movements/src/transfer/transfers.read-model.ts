import type { AssetId } from '@ponte/kernel';
import type { Page, PageRequest, TransferFact, TransferFilters, TransferRecord, TransferState } from '@ponte/contracts';
import type { ViewTable } from '@ponte/engines';
import { createViewTable } from '@ponte/engines';
import type { Recorded, StreamFolds } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';
import type { Transfer } from './transfer.decider';
import { transferRecord } from './transfer.decider';

/** One transfer: the record as it is told, beside it the columns that are searched by. */
export interface TransferRow {
  readonly id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly account_id: string;
  readonly source_address: string;
  readonly target_address: string;
  readonly asset: AssetId;
  readonly state: TransferState;
  readonly tx_hash: string | null;
  readonly external_id: string | null;
  /** 1 until it has ended, null afterwards, so that its index stays small. */
  readonly unfinished: number | null;
  readonly record: TransferRecord;
}

export const transfersTable = (db: Kysely<unknown>): ViewTable<TransferRow> => createViewTable<TransferRow>({
  db, table: 'transfers', indices: [['account_id'], ['unfinished']],
  columns: {
    account_id: 'text', source_address: 'text', target_address: 'text', asset: 'text', state: 'text', tx_hash: 'text?', external_id: 'text?',
    unfinished: 'integer?', record: 'json',
  },
});

/** The row of a transfer at a revision of its stream; undefined while none was created. */
export function transferRow(state: Transfer, revision: number): TransferRow | undefined {
  const record = transferRecord(state);
  if (!record) return undefined;
  const { id, accountId, sourceAddress, targetAddress, asset, txHash, externalId, createdAt } = record;
  return {
    id, revision, created_at: createdAt, account_id: accountId, source_address: sourceAddress, target_address: targetAddress, asset, state: record.state,
    tx_hash: txHash, external_id: externalId, unfinished: record.state === 'created' || record.state === 'pending' ? 1 : null, record,
  };
}

/** The rows of the transfers that changed in a run of the log. */
export async function transferRows(folds: StreamFolds<Transfer, TransferFact>, events: readonly Recorded[]): Promise<TransferRow[]> {
  return [...await folds.add(events)].flatMap(([, { state, revision }]) => transferRow(state, revision) ?? []);
}

/** Newest first. */
export async function transfersPage(
  table: ViewTable<TransferRow>, accountId: string, filters: TransferFilters, page: PageRequest,
): Promise<Page<TransferRecord>> {
  const { sourceAddress, targetAddress, asset, state, txHash, externalId } = filters;
  const { items, next } = await table.page({
    where: { account_id: accountId },
    filters: { source_address: sourceAddress, target_address: targetAddress, asset, state, tx_hash: txHash, external_id: externalId },
    page,
  });
  return { items: items.map(({ record }) => record), next };
}
