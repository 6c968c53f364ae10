import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListWallets, Page, WalletRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { PayloadQuery } from '@ponte/nest';
import { WalletReadModel } from './wallets.read-model';

export class ListWalletsQuery extends PayloadQuery<PayloadOf<typeof ListWallets>, Page<WalletRecord>> {}

@QueryHandler(ListWalletsQuery)
export class ListWalletsHandler implements IQueryHandler<ListWalletsQuery> {
  constructor(private readonly readModel: WalletReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListWalletsQuery): Promise<Page<WalletRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
