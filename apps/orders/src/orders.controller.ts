import { Controller } from '@nestjs/common';
import { CheckAcceptance, GetOrder, ListOrders, PlaceOrder } from '@ponte/contracts';
import { forwardRequests, policiesController } from '@ponte/nest';
import { CheckAcceptanceQuery } from './acceptance/check-acceptance.query';
import { GetOrderQuery, ListOrdersQuery } from './order/orders.queries';
import { PlaceOrderCommand } from './order/place-order.command';
import { ORDERS_POLICIES } from './orders.policies';

/** Receives this service's requests from the bus. */
@Controller()
export class OrdersMessages extends forwardRequests(
  [PlaceOrder, PlaceOrderCommand],
  [CheckAcceptance, CheckAcceptanceQuery],
  [GetOrder, GetOrderQuery],
  [ListOrders, ListOrdersQuery],
) {}

/** Receives the events that the policies of this service handle. */
export const OrdersEvents = policiesController(
  ['orders', 'ledger', 'onboarding', 'movements'],
  'orders',
  ORDERS_POLICIES,
);
