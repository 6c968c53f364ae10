import { Module } from '@nestjs/common';
import { providePolicies, provideReadModels } from '@ponte/nest';
import { OrdersMetrics } from './adapters/order-read-model/metrics';
import { ORDERS_READ_MODELS } from './adapters/rebuild';
import { GatherAcceptanceFacts } from './commands/acceptance-facts';
import { RequestSettlementHandler } from './commands/request-settlement';
import { CloseChargeHandler } from './commands/close-charge';
import { SettleOrderHandler } from './commands/settle-order';
import { ExpireChargesHandler } from './commands/expire-charges';
import { ExternalIds } from './commands/external-ids';
import { FailOrderHandler } from './commands/fail-order';
import { ReleaseFundsHandler } from './commands/release-funds';
import { Orders } from './commands/orders';
import { PlaceOrderHandler } from './commands/place-order';
import { ReturnPayment } from './commands/return-payment';
import { SettleChargeHandler } from './commands/settle-charge';
import { SweepFundsHandler } from './commands/sweep-funds';
import { ReserveFunds } from './commands/reserve-funds';
import { OrdersMessages } from './messages.controller';
import { readOrdersConfig } from './orders.config';
import { RequestMissingSettlementsHandler } from './order/request-missing-settlements.command';
import { OrdersTimers } from './orders.timers';
import { ORDERS_CONFIG } from './ports/orders-settings';
import { CheckAcceptanceHandler } from './order/check-acceptance.query';
import { JudgeAcceptance } from './order/judge-acceptance';
import { DeliverOrderHandler } from './order/deliver-order.command';
import { PayOutOrderHandler } from './order/pay-out-order.command';
import { GetOrderHandler } from './queries/get-order';
import { ListOrdersHandler } from './queries/list-orders';
import { ORDERS_POLICIES } from './policies/orders.policies';

/** From an accepted quote to completed or rolled back. */
@Module({
  controllers: [OrdersMessages],
  providers: [
    { provide: ORDERS_CONFIG, useFactory: () => readOrdersConfig(process.env) },
    Orders,
    ExternalIds,
    GatherAcceptanceFacts,
    JudgeAcceptance,
    ReserveFunds,
    ReturnPayment,
    PlaceOrderHandler,
    ReleaseFundsHandler,
    RequestSettlementHandler,
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
  ],
})
export class OrdersModule {}
