import type { Page, PageRequest, TransferRecord, TransferState } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';

/** One transfer: the record as it is published, and the columns to search by. */
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

/** Where the rows lie; a row never goes back to a lower revision. */
export interface TransfersTable {
  put(row: TransferRow): Promise<boolean>;
  /** Newest first. Null and undefined filters let everything through. */
  page(request: {
    readonly where: Partial<TransferRow>;
    readonly filters?: { readonly [K in keyof TransferRow]?: TransferRow[K] | null };
    readonly page: PageRequest;
  }): Promise<Page<TransferRow>>;
}

export const TRANSFERS_TABLE = Symbol('TransfersTable');
