import type { Page, PageRequest } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';

/** One wallet as look-ups need it. Members are the columns of the table. */
export interface WalletRow {
  readonly id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly account_id: string;
  readonly chain: Chain;
  /** Lower-case. */
  readonly address: string;
  readonly name: string;
  readonly assets: readonly AssetId[];
  readonly ui_enabled: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Where the rows lie; a row never goes back to a lower revision. */
export interface WalletsTable {
  put(row: WalletRow): Promise<boolean>;
  find(where: Partial<WalletRow>): Promise<WalletRow | undefined>;
  page(request: { where: Partial<WalletRow>; page: PageRequest }): Promise<Page<WalletRow>>;
}

export const WALLETS_TABLE = Symbol('WalletsTable');
