import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { AmountOf, DepositRecord, ListAllDeposits, Page } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { DepositReadModel } from '../deposit/deposits.read-model';

/** Deposits of every account, or of one, newest first. */
export class ListAllDepositsQuery extends Query<Page<DepositRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListAllDeposits>) {
    super();
  }
}

@QueryHandler(ListAllDepositsQuery)
export class ListAllDepositsHandler implements IQueryHandler<ListAllDepositsQuery> {
  constructor(private readonly readModel: DepositReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListAllDepositsQuery): Promise<Page<DepositRecord>> {
    return accountId === null ? this.readModel.pageOfAll(filters, page) : this.readModel.page(accountId, filters, page);
  }
}

/** One deposit of whatever account; null when it does not exist, or its target is unknown. */
export class GetAnyDepositQuery extends Query<DepositRecord | null> {
  constructor(readonly depositId: string) {
    super();
  }
}

@QueryHandler(GetAnyDepositQuery)
export class GetAnyDepositHandler implements IQueryHandler<GetAnyDepositQuery> {
  constructor(private readonly readModel: DepositReadModel) {}

  async execute({ depositId }: GetAnyDepositQuery): Promise<DepositRecord | null> {
    return (await this.readModel.get(depositId)) ?? null;
  }
}

/** Tokens from outside that are in wallets of ours and not credited, by asset. */
export class GetUncreditedTokensQuery extends Query<{ amounts: readonly AmountOf[] }> {}

@QueryHandler(GetUncreditedTokensQuery)
export class GetUncreditedTokensHandler implements IQueryHandler<GetUncreditedTokensQuery> {
  constructor(private readonly readModel: DepositReadModel) {}

  async execute(): Promise<{ amounts: readonly AmountOf[] }> {
    return { amounts: await this.readModel.uncreditedTokens() };
  }
}
