import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { GetTrialBalance } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { sumsOf, TrialBalance } from './trial-balance.read-model';

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
    const { house, customers, customersTotal } = await this.trialBalance.sums();
    return {
      lines: includeCustomers ? [...house, ...customers] : house,
      customers: customersTotal,
      sums: sumsOf([...house, ...customersTotal]),
    };
  }
}
