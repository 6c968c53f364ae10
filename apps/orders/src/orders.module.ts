import { Module } from '@nestjs/common';
import { providePolicies, provideReadModels } from '@ponte/nest';
import { OrdersMetrics } from './order/orders.metrics';
import { ORDERS_READ_MODELS } from './orders.read-models';
import { ValidateAcceptance } from './acceptance/validate-acceptance.service';
import { RequestSettlementHandler } from './settlement/request-settlement.command';
import { RequestSettlementsOfAccountHandler } from './settlement/request-settlements-of-account.command';
import { CloseChargeHandler } from './funding/close-charge.command';
import { EndUnsignedOrderHandler } from './settlement/end-unsigned-order.command';
import { EndUnsignedOrdersHandler } from './settlement/end-unsigned-orders.command';
import { SettleOrderHandler } from './settlement/settle-order.command';
import { ExpireChargesHandler } from './funding/expire-charges.command';
import { ExternalIds } from './order/external-ids.service';
import { FailOrderHandler } from './order/fail-order.command';
import { ReleaseFundsHandler } from './funding/release-funds.command';
import { Orders } from './order/orders.repository';
import { PlaceOrderHandler } from './order/place-order.command';
import { ReturnPayment } from './funding/return-payment.service';
import { SettleChargeHandler } from './funding/settle-charge.command';
import { SweepFundsHandler } from './funding/sweep-funds.command';
import { ReserveFunds } from './funding/reserve-funds.service';
import { OrdersEvents, OrdersMessages } from './orders.controller';
import { readOrdersConfig } from './orders.config';
import { RequestMissingSettlementsHandler } from './settlement/request-missing-settlements.command';
import { OrdersTimers } from './orders.timers';
import { ORDERS_CONFIG } from './order/orders-settings.port';
import { CheckAcceptanceHandler } from './acceptance/check-acceptance.query';
import { DeliverOrderHandler } from './delivery/deliver-order.command';
import { PayOutOrderHandler } from './delivery/pay-out-order.command';
import { GetOrderHandler, ListOrdersHandler } from './order/orders.queries';
import { OrderDuties } from './operator/order-duties.service';
import { ORDERS_POLICIES } from './orders.policies';

/** The order process: from an accepted quote to a completed or rolled-back order. */
@Module({
  controllers: [OrdersMessages, OrdersEvents],
  providers: [
    { provide: ORDERS_CONFIG, useFactory: () => readOrdersConfig(process.env) },
    Orders,
    ExternalIds,
    ValidateAcceptance,
    ReserveFunds,
    ReturnPayment,
    PlaceOrderHandler,
    ReleaseFundsHandler,
    RequestSettlementHandler,
    RequestSettlementsOfAccountHandler,
    EndUnsignedOrderHandler,
    EndUnsignedOrdersHandler,
    SettleChargeHandler,
    SettleOrderHandler,
    FailOrderHandler,
    CloseChargeHandler,
    ExpireChargesHandler,
    SweepFundsHandler,
    RequestMissingSettlementsHandler,
    GetOrderHandler,
    ListOrdersHandler,
    CheckAcceptanceHandler,
    PayOutOrderHandler,
    DeliverOrderHandler,
    ...providePolicies('orders', ORDERS_POLICIES),
    ...provideReadModels(ORDERS_READ_MODELS),
    OrdersTimers,
    OrdersMetrics,
    OrderDuties,
  ],
})
export class OrdersModule {}
