import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetAccountWallets, ListWallets, Page, WalletRecord } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { WalletReadModel } from './wallets.read-model';

export class GetAccountWalletsQuery extends RequestQuery<typeof GetAccountWallets> {}

@QueryHandler(GetAccountWalletsQuery)
export class GetAccountWalletsHandler implements IQueryHandler<GetAccountWalletsQuery> {
  constructor(private readonly readModel: WalletReadModel) {}

  async execute({ payload: { accountId } }: GetAccountWalletsQuery): Promise<{ wallets: readonly WalletRecord[] }> {
    return { wallets: await this.readModel.ofAccount(accountId) };
  }
}

export class ListWalletsQuery extends RequestQuery<typeof ListWallets> {}

@QueryHandler(ListWalletsQuery)
export class ListWalletsHandler implements IQueryHandler<ListWalletsQuery> {
  constructor(private readonly readModel: WalletReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListWalletsQuery): Promise<Page<WalletRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
