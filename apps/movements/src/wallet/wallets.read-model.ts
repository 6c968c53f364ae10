import { Injectable } from '@nestjs/common';
import type { Page, PageRequest, WalletFilters, WalletRecord } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { CHAINS, pick } from '@ponte/kernel';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import { wallet, walletRecord } from './wallet.decider';

/** More wallets than an account can have. */
const ALL = 200;

const WalletList = defineReadModel({
  table: 'wallets',
  reader: 'movements/wallet',
  of: wallet,
  columns: {
    account_id: 'text',
    chain: 'text',
    // Lower-case.
    address: 'text',
    name: 'text',
    assets: 'json',
    ui_enabled: 'boolean',
    metadata: 'json',
  },
  indices: [['account_id'], ['address'], ['chain']],
  rows: ({ state, revision }) => {
    const record = walletRecord(state);
    if (!record) return undefined;
    return {
      ...pick(record, 'id', 'chain', 'address', 'name', 'assets', 'metadata'),
      revision,
      created_at: record.createdAt,
      account_id: record.accountId,
      ui_enabled: record.uiEnabled,
    };
  },
});

export type WalletRow = RowOf<typeof WalletList>;

/** Wallets by account. */
@Injectable()
export class WalletReadModel extends WalletList {
  /** In the order of the chains, then oldest first. */
  async ofAccount(accountId: string): Promise<WalletRecord[]> {
    const page = { limit: ALL, cursor: null, createdFrom: null, createdTo: null };
    const { items } = await this.table.page({ where: { account_id: accountId }, page });
    const wallets = items.map(recordOf).reverse();
    return CHAINS.flatMap((chain) => wallets.filter((wallet) => wallet.chain === chain));
  }

  /** Any wallet on the chain; undefined when it has no wallet. */
  async anyOn(chain: Chain): Promise<Pick<WalletRecord, 'id' | 'address'> | undefined> {
    const page = { limit: 1, cursor: null, createdFrom: null, createdTo: null };
    return (await this.table.page({ where: { chain }, page })).items[0];
  }

  /** Newest first. The wallets of an account are few, so the filters are applied here. */
  async page(accountId: string, { assets, addresses }: WalletFilters, page: PageRequest): Promise<Page<WalletRecord>> {
    const all = await this.table.page({ where: { account_id: accountId }, page: { ...page, limit: ALL } });
    const found = all.items
      .map(recordOf)
      .filter(
        (one) =>
          (assets === null || assets.some((asset) => one.assets.includes(asset))) &&
          (addresses === null || addresses.includes(one.address)),
      );
    const items = found.slice(0, page.limit);
    const last = items.at(-1);
    return { items, next: found.length > page.limit && last ? { createdAt: last.createdAt, id: last.id } : null };
  }
}

const recordOf = (row: WalletRow): WalletRecord => ({
  ...pick(row, 'id', 'name', 'chain', 'address', 'assets', 'metadata'),
  accountId: row.account_id,
  uiEnabled: row.ui_enabled,
  createdAt: row.created_at,
});
