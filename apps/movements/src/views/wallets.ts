import { Inject, Injectable } from '@nestjs/common';
import type { Page, PageRequest, WalletFilters, WalletRecord } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { WalletRow } from '../wallet/wallets.read-model';
import { WalletReadModel, walletRow } from '../wallet/wallets.read-model';

/** More than an account has. */
const ALL = 200;

/** The wallets by account. It holds nothing that the streams do not, so it may be lost and filled again. */
@Injectable()
export class WalletsView {
  constructor(
    private readonly readModel: WalletReadModel,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws when the table does not answer; the catch-up projector tries again. */
  async put(record: WalletRecord, revision: number): Promise<void> {
    await this.readModel.table.put(walletRow(record, revision));
  }

  /**
   * Shows an accepted command before it is answered. A view that fails takes nothing back: the projector repairs it.
   */
  async show(record: WalletRecord, revision: number, context: RequestContext): Promise<void> {
    try {
      await this.put(record, revision);
    } catch (error) {
      this.logger.error(
        { ...logged(context), err: error, walletId: record.id },
        'a wallet did not reach its view; the catch-up will bring it',
      );
    }
  }

  /** In the order of the chains, then oldest first. */
  async ofAccount(accountId: string): Promise<WalletRecord[]> {
    const page = { limit: ALL, cursor: null, createdFrom: null, createdTo: null };
    const { items } = await this.readModel.table.page({ where: { account_id: accountId }, page });
    const wallets = items.map(recordOf).reverse();
    return CHAINS.flatMap((chain) => wallets.filter((wallet) => wallet.chain === chain));
  }

  /** Newest first. The wallets of an account are few, so the filters are applied here. */
  async page(accountId: string, { assets, addresses }: WalletFilters, page: PageRequest): Promise<Page<WalletRecord>> {
    const all = await this.readModel.table.page({ where: { account_id: accountId }, page: { ...page, limit: ALL } });
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

  /** Whose wallet with us this is; null when it is outside our custody. */
  async atAddress(chain: Chain, address: string): Promise<WalletRecord | null> {
    const row = await this.readModel.table.find({ chain, address });
    return row ? recordOf(row) : null;
  }

  async byAddress(accountId: string, chain: Chain, address: string): Promise<WalletRecord | null> {
    const row = await this.readModel.table.find({ account_id: accountId, chain, address });
    return row ? recordOf(row) : null;
  }
}

const recordOf = ({
  id,
  account_id: accountId,
  name,
  chain,
  address,
  assets,
  ui_enabled: uiEnabled,
  metadata,
  created_at: createdAt,
}: WalletRow): WalletRecord => ({ id, accountId, name, chain, address, assets, uiEnabled, metadata, createdAt });
