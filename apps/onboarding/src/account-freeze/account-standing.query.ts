import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { AccountRecord, AccountStanding, Page, PageRequest } from '@ponte/contracts';
import { isUuid } from '@ponte/kernel';
import { Accounts } from '../account/accounts';
import { accountStanding } from '../account/account.record';
import { AccountReadModel } from '../account/accounts.read-model';

export class GetAccountStandingQuery extends Query<AccountStanding | null> {
  constructor(readonly accountId: string) {
    super();
  }
}

@QueryHandler(GetAccountStandingQuery)
export class GetAccountStandingHandler implements IQueryHandler<GetAccountStandingQuery> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ accountId }: GetAccountStandingQuery): Promise<AccountStanding | null> {
    const state = isUuid(accountId) ? await this.accounts.load(accountId) : null;
    return state === null || state.status === 'absent' ? null : accountStanding(state);
  }
}

export class ListFrozenAccountsQuery extends Query<Page<AccountRecord>> {
  constructor(readonly page: PageRequest) {
    super();
  }
}

@QueryHandler(ListFrozenAccountsQuery)
export class ListFrozenAccountsHandler implements IQueryHandler<ListFrozenAccountsQuery> {
  constructor(private readonly readModel: AccountReadModel) {}

  execute({ page }: ListFrozenAccountsQuery): Promise<Page<AccountRecord>> {
    return this.readModel.frozen(page);
  }
}
