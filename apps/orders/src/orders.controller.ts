import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { OrderRecord, Page, PlaceOrderPayload } from '@ponte/contracts';
import { CheckAcceptance, GetOrder, ListOrders, PlaceOrder } from '@ponte/contracts';
import type { PayloadOf, Recorded, RequestContext } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, policiesOf, typesHandledBy } from '@ponte/nest';
import { PlaceOrderCommand } from './order/place-order.command';
import { CheckAcceptanceQuery } from './acceptance/check-acceptance.query';
import { GetOrderQuery } from './order/get-order.query';
import { ListOrdersQuery } from './order/list-orders.query';
import { ORDERS_POLICIES } from './orders.policies';

/** What the bus brings to this service: requests, and the facts that its policies follow. */
@Controller()
export class OrdersMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    @Inject(policiesOf('orders')) private readonly policies: Policies,
  ) {}

  @MessagePattern(PlaceOrder.pattern)
  placeOrder(@Payload() payload: PlaceOrderPayload, @Ctx() context: RequestContext): Promise<OrderRecord> {
    return this.commands.execute(new PlaceOrderCommand(payload, context));
  }

  @MessagePattern(CheckAcceptance.pattern)
  checkAcceptance(@Payload() payload: PlaceOrderPayload, @Ctx() context: RequestContext): Promise<OrderRecord> {
    return this.queries.execute(new CheckAcceptanceQuery(payload, context));
  }

  @MessagePattern(GetOrder.pattern)
  getOrder(@Payload() { accountId, orderId }: PayloadOf<typeof GetOrder>): Promise<OrderRecord | null> {
    return this.queries.execute(new GetOrderQuery(accountId, orderId));
  }

  @MessagePattern(ListOrders.pattern)
  listOrders(@Payload() { accountId, filters, page }: PayloadOf<typeof ListOrders>): Promise<Page<OrderRecord>> {
    return this.queries.execute(new ListOrdersQuery(accountId, filters, page));
  }

  @Consumes('orders', 'orders', typesHandledBy(ORDERS_POLICIES))
  onOrders(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }

  @Consumes('ledger', 'orders', typesHandledBy(ORDERS_POLICIES))
  onLedger(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }

  @Consumes('onboarding', 'orders', typesHandledBy(ORDERS_POLICIES))
  onOnboarding(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }

  @Consumes('movements', 'orders', typesHandledBy(ORDERS_POLICIES))
  onMovements(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }
}
