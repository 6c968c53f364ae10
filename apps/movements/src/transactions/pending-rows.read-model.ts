import type { Chain } from '@ponte/kernel';
import type { LatestRows } from '@ponte/read-models';
import { rowKeeper } from '@ponte/read-models';
import type { Kysely } from 'kysely';

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

/** Writes and deletes rows of the table. */
export const pendingRows = (views: Kysely<unknown>): ((latest: LatestRows<PendingRow>) => Promise<void>) =>
  rowKeeper<PendingRow>(views, 'pending_transactions', [
    'id',
    'revision',
    'chain',
    'sender',
    'nonce',
    'tx_hash',
    'since',
    'correlation_id',
  ]);
