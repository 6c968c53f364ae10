import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Payload } from '@nestjs/microservices';
import { CheckAcceptance, GetOrder, ListOrders, PlaceOrder } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, forwardRequests, policiesOf, typesHandledBy } from '@ponte/nest';
import { CheckAcceptanceQuery } from './acceptance/check-acceptance.query';
import { GetOrderQuery, ListOrdersQuery } from './order/orders.queries';
import { PlaceOrderCommand } from './order/place-order.command';
import { ORDERS_POLICIES } from './orders.policies';

/** Receives this service's requests from the bus, and the events that its policies handle. */
@Controller()
export class OrdersMessages extends forwardRequests(
  [PlaceOrder, PlaceOrderCommand],
  [CheckAcceptance, CheckAcceptanceQuery],
  [GetOrder, GetOrderQuery],
  [ListOrders, ListOrdersQuery],
) {
  constructor(
    commands: CommandBus,
    queries: QueryBus,
    @Inject(policiesOf('orders')) private readonly policies: Policies,
  ) {
    super(commands, queries);
  }

  @Consumes(['orders', 'ledger', 'onboarding', 'movements'], 'orders', typesHandledBy(ORDERS_POLICIES))
  onEvent(@Payload() event: Recorded): Promise<void> {
    return this.policies.dispatch(event);
  }
}
