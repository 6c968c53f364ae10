import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ListWallets, Page, WalletRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { WalletsView } from '../views/wallets';

export class ListWalletsQuery extends Query<Page<WalletRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListWallets>) {
    super();
  }
}

@QueryHandler(ListWalletsQuery)
export class ListWalletsHandler implements IQueryHandler<ListWalletsQuery> {
  constructor(private readonly view: WalletsView) {}

  execute({ payload: { accountId, filters, page } }: ListWalletsQuery): Promise<Page<WalletRecord>> {
    return this.view.page(accountId, filters, page);
  }
}
