import type { NftTransferRecord, Page, PageRequest, TransferState } from '@ponte/contracts';

/** One NFT transfer: the record as it is shown, and the columns that are searched by. */
export interface NftTransferRow {
  readonly id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly account_id: string;
  readonly certificate_id: string;
  readonly source_address: string;
  readonly target_address: string;
  readonly state: TransferState;
  readonly tx_hash: string | null;
  readonly external_id: string | null;
  /** 1 until it has ended, null afterwards, so that its index stays small. */
  readonly unfinished: number | null;
  readonly record: NftTransferRecord;
}

/** Where the rows lie; a row never goes back to a lower revision. */
export interface NftTransfersTable {
  putAll(rows: readonly NftTransferRow[]): Promise<void>;
  /** Newest first. Null and undefined filters let everything through. */
  page(request: {
    readonly where: Partial<NftTransferRow>;
    readonly filters?: { readonly [K in keyof NftTransferRow]?: NftTransferRow[K] | null };
    readonly page: PageRequest;
  }): Promise<Page<NftTransferRow>>;
}

export const NFT_TRANSFERS_TABLE = Symbol('NftTransfersTable');
