import type { Chain } from '@ponte/kernel';

/** One transaction that is confirmed and not final. Members are the columns of the table. */
export interface UnfinalRow {
  readonly id: string;
  readonly revision: number;
  readonly chain: Chain;
  readonly sender: string;
  readonly nonce: number;
  readonly tx_hash: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly correlation_id: string;
}

/**
 * How the rows are written, many at once; a row never goes back to a lower revision. The rows of one call have
 * different ids.
 */
export interface UnfinalReadModel {
  put(rows: readonly UnfinalRow[]): Promise<unknown>;
  remove(ids: readonly string[]): Promise<unknown>;
}

export const UNFINAL_READ_MODEL = Symbol('UnfinalReadModel');
