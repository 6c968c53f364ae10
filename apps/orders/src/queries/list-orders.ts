import { Inject } from '@nestjs/common';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { OrderFilters, OrderRecord, Page, PageRequest } from '@ponte/contracts';
import { ORDER_ROWS } from '../ports/order-rows';
import type { OrderRows } from '../ports/order-rows';

/** The orders of an account, newest first. */
export class ListOrdersQuery extends Query<Page<OrderRecord>> {
  constructor(readonly accountId: string, readonly filters: OrderFilters, readonly page: PageRequest) { super(); }
}

@QueryHandler(ListOrdersQuery)
export class ListOrdersHandler implements IQueryHandler<ListOrdersQuery> {
  constructor(@Inject(ORDER_ROWS) private readonly rows: OrderRows) {}

  execute({ accountId, filters, page }: ListOrdersQuery): Promise<Page<OrderRecord>> {
    return this.rows.page(accountId, filters, page);
  }
}
