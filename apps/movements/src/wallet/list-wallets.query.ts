import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { ListWallets, Page, WalletRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { WalletReadModel } from './wallets.read-model';

export class ListWalletsQuery extends Query<Page<WalletRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListWallets>) {
    super();
  }
}

@QueryHandler(ListWalletsQuery)
export class ListWalletsHandler implements IQueryHandler<ListWalletsQuery> {
  constructor(private readonly readModel: WalletReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListWalletsQuery): Promise<Page<WalletRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
