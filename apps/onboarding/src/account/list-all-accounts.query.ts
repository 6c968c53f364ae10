import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { AccountRecord, Page, PageRequest } from '@ponte/contracts';
import { AccountReadModel } from './accounts.read-model';

export class ListAllAccountsQuery extends Query<Page<AccountRecord>> {
  constructor(readonly page: PageRequest) {
    super();
  }
}

/** For staff. */
@QueryHandler(ListAllAccountsQuery)
export class ListAllAccountsHandler implements IQueryHandler<ListAllAccountsQuery> {
  constructor(private readonly readModel: AccountReadModel) {}

  execute({ page }: ListAllAccountsQuery): Promise<Page<AccountRecord>> {
    return this.readModel.all(page);
  }
}
