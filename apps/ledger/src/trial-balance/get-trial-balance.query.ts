import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { GetTrialBalance } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { sumsByAsset } from './sums-by-asset.domain';
import { TrialBalance } from './trial-balance.read-model';

/** The trial balance from the read model, which lags the books by a moment. */
export class GetTrialBalanceQuery extends Query<ReplyOf<typeof GetTrialBalance>> {
  constructor(readonly customers: boolean) {
    super();
  }
}

@QueryHandler(GetTrialBalanceQuery)
export class GetTrialBalanceHandler implements IQueryHandler<GetTrialBalanceQuery> {
  constructor(private readonly trialBalance: TrialBalance) {}

  async execute({ customers: includeCustomers }: GetTrialBalanceQuery): Promise<ReplyOf<typeof GetTrialBalance>> {
    if (includeCustomers) {
      const lines = await this.trialBalance.lines();
      return {
        lines,
        customers: sumsByAsset(lines.filter(({ account }) => isOfCustomer(account))),
        sums: sumsByAsset(lines),
      };
    }
    const { house, customers } = await this.trialBalance.sums();
    return { lines: house, customers, sums: sumsByAsset([...house, ...customers]) };
  }
}

const isOfCustomer = (account: string): boolean => account.startsWith('customer:');
