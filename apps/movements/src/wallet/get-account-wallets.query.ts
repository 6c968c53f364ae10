import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { WalletRecord } from '@ponte/contracts';
import { WalletReadModel } from './wallets.read-model';

export class GetAccountWalletsQuery extends Query<{ wallets: readonly WalletRecord[] }> {
  constructor(readonly accountId: string) {
    super();
  }
}

@QueryHandler(GetAccountWalletsQuery)
export class GetAccountWalletsHandler implements IQueryHandler<GetAccountWalletsQuery> {
  constructor(private readonly readModel: WalletReadModel) {}

  async execute({ accountId }: GetAccountWalletsQuery): Promise<{ wallets: readonly WalletRecord[] }> {
    return { wallets: await this.readModel.ofAccount(accountId) };
  }
}
