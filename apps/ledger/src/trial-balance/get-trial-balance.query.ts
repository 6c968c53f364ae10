import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { AmountOf, GetTrialBalance } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { TrialBalance } from './trial-balance.read-model';

/** The books as they stood a moment ago. */
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

function sumsOf(amounts: readonly AmountOf[]): AmountOf[] {
  const sums = new Map<AssetId, Money>();
  for (const { asset, amount } of amounts)
    sums.set(asset, (sums.get(asset) ?? Money.zero(asset)).plus(Money.stored(asset, amount)));
  return [...sums].map(([asset, sum]) => ({ asset, amount: sum.toString() }));
}
