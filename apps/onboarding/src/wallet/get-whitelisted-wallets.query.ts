import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import type { WhitelistEntry } from '../account/account.decider';
import { account } from '../account/account.decider';

export class GetWhitelistedWalletsQuery extends Query<{ wallets: readonly WhitelistEntry[] }> {
  constructor(readonly accountId: string) {
    super();
  }
}

/** From the stream's state in memory: orders ask it about every foreign address. */
@QueryHandler(GetWhitelistedWalletsQuery)
export class GetWhitelistedWalletsHandler implements IQueryHandler<GetWhitelistedWalletsQuery> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ accountId }: GetWhitelistedWalletsQuery): Promise<{ wallets: readonly WhitelistEntry[] }> {
    if (!isUuid(accountId)) return { wallets: [] };
    const { state } = await this.aggregates.load(account, accountId);
    return { wallets: state.status === 'absent' ? [] : state.whitelist };
  }
}
