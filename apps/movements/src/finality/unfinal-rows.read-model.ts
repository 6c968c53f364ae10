import type { Chain } from '@ponte/kernel';
import type { LatestRows } from '@ponte/read-models';
import { rowKeeper } from '@ponte/read-models';
import type { Kysely } from 'kysely';

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

/** Writes and deletes rows of the table. */
export const unfinalRows = (views: Kysely<unknown>): ((latest: LatestRows<UnfinalRow>) => Promise<void>) =>
  rowKeeper<UnfinalRow>(views, 'unfinal_transactions', [
    'id',
    'revision',
    'chain',
    'sender',
    'nonce',
    'tx_hash',
    'block_number',
    'block_hash',
    'correlation_id',
  ]);
