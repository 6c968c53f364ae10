import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetOrder, ListOrders, OrderRecord, Page } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { recordOf, OrderReadModel } from './orders.read-model';
import { placed } from './order.state';
import { Orders } from './orders.repository';

/** One order of an account. Null if it does not exist or belongs to another account. */
export class GetOrderQuery extends RequestQuery<typeof GetOrder> {}

/**
 * Reads the order from its stream, which this process caches folded, so the result is never behind an earlier response,
 * even while the read model cannot be written.
 */
@QueryHandler(GetOrderQuery)
export class GetOrderHandler implements IQueryHandler<GetOrderQuery> {
  constructor(private readonly orders: Orders) {}

  async execute({ payload: { accountId, orderId } }: GetOrderQuery): Promise<OrderRecord | null> {
    const order = placed(await this.orders.load(orderId));
    return order?.terms.accountId === accountId ? recordOf(order) : null;
  }
}

/** The orders of an account, newest first. */
export class ListOrdersQuery extends RequestQuery<typeof ListOrders> {}

@QueryHandler(ListOrdersQuery)
export class ListOrdersHandler implements IQueryHandler<ListOrdersQuery> {
  constructor(private readonly readModel: OrderReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListOrdersQuery): Promise<Page<OrderRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
