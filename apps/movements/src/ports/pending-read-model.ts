import type { Chain } from '@ponte/kernel';

/** One transaction that has not ended. Members are the columns of the table. */
export interface PendingRow {
  readonly id: string;
  readonly revision: number;
  readonly chain: Chain;
  readonly sender: string;
  /** Both null until it is signed. */
  readonly nonce: number | null;
  readonly tx_hash: string | null;
  /** When it came to where it stands, ISO 8601. */
  readonly since: string;
  readonly correlation_id: string;
}

/**
 * How the rows are written, many at once; a row never goes back to a lower revision. The rows of one call have
 * different ids.
 */
export interface PendingReadModel {
  put(rows: readonly PendingRow[]): Promise<unknown>;
  remove(ids: readonly string[]): Promise<unknown>;
}

export const PENDING_READ_MODEL = Symbol('PendingReadModel');
