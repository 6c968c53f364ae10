import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { AccountRecord, Page, PageRequest } from '@ponte/contracts';
import { AccountsView } from '../views/accounts';

export class ListAllAccountsQuery extends Query<Page<AccountRecord>> {
  constructor(readonly page: PageRequest) {
    super();
  }
}

/** For staff. */
@QueryHandler(ListAllAccountsQuery)
export class ListAllAccountsHandler implements IQueryHandler<ListAllAccountsQuery> {
  constructor(private readonly view: AccountsView) {}

  execute({ page }: ListAllAccountsQuery): Promise<Page<AccountRecord>> {
    return this.view.all(page);
  }
}
