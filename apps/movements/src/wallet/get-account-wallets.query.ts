import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { WalletRecord } from '@ponte/contracts';
import { PayloadQuery } from '@ponte/nest';
import { WalletReadModel } from './wallets.read-model';

export class GetAccountWalletsQuery extends PayloadQuery<
  { readonly accountId: string },
  { wallets: readonly WalletRecord[] }
> {}

@QueryHandler(GetAccountWalletsQuery)
export class GetAccountWalletsHandler implements IQueryHandler<GetAccountWalletsQuery> {
  constructor(private readonly readModel: WalletReadModel) {}

  async execute({ payload: { accountId } }: GetAccountWalletsQuery): Promise<{ wallets: readonly WalletRecord[] }> {
    return { wallets: await this.readModel.ofAccount(accountId) };
  }
}
