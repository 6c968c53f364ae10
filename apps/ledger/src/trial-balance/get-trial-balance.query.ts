import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { AmountOf, GetTrialBalance } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
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
      return { lines, customers: sumsOf(lines.filter(({ account }) => isOfCustomer(account))), sums: sumsOf(lines) };
    }
    const { house, customers } = await this.trialBalance.sums();
    return { lines: house, customers, sums: sumsOf([...house, ...customers]) };
  }
}

const isOfCustomer = (account: string): boolean => account.startsWith('customer:');

/** Sums the amounts per asset. */
function sumsOf(amounts: readonly AmountOf[]): AmountOf[] {
  const sums = new Map<AssetId, Money>();
  for (const { asset, amount } of amounts)
    sums.set(asset, (sums.get(asset) ?? Money.zero(asset)).plus(Money.stored(asset, amount)));
  return [...sums].map(([asset, sum]) => ({ asset, amount: sum.toString() }));
}
