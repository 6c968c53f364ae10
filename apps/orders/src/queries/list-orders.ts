import { Inject } from '@nestjs/common';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { OrderFilters, OrderRecord, Page, PageRequest } from '@ponte/contracts';
import { ORDER_READ_MODEL } from '../ports/order-read-model';
import type { OrderReadModel } from '../ports/order-read-model';

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
  constructor(@Inject(ORDER_READ_MODEL) private readonly readModel: OrderReadModel) {}

  execute({ accountId, filters, page }: ListOrdersQuery): Promise<Page<OrderRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
