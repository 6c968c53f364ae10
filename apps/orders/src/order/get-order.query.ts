import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { OrderRecord } from '@ponte/contracts';
import { Orders } from './orders.repository';
import { placed } from './order.state';
import { recordOf } from './order.record';

/** One order of an account; null when it does not exist or is not the account's. */
export class GetOrderQuery extends Query<OrderRecord | null> {
  constructor(
    readonly accountId: string,
    readonly orderId: string,
  ) {
    super();
  }
}

/**
 * From the stream, which this process holds folded: never behind what was answered, even while the view cannot be
 * written.
 */
@QueryHandler(GetOrderQuery)
export class GetOrderHandler implements IQueryHandler<GetOrderQuery> {
  constructor(private readonly orders: Orders) {}

  async execute({ accountId, orderId }: GetOrderQuery): Promise<OrderRecord | null> {
    const order = placed(await this.orders.load(orderId));
    return order?.terms.accountId === accountId ? recordOf(order) : null;
  }
}
