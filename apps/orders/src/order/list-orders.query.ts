import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { OrderFilters, OrderRecord, Page, PageRequest } from '@ponte/contracts';
import { OrderReadModel } from './orders.read-model';

/** The orders of an account, newest first. */
export class ListOrdersQuery extends Query<Page<OrderRecord>> {
  constructor(
    readonly accountId: string,
    readonly filters: OrderFilters,
    readonly page: PageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListOrdersQuery)
export class ListOrdersHandler implements IQueryHandler<ListOrdersQuery> {
  constructor(private readonly readModel: OrderReadModel) {}

  execute({ accountId, filters, page }: ListOrdersQuery): Promise<Page<OrderRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
