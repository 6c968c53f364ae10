import { WhenAccountReleasedRequestSettlements } from './when-account-released-request-settlements';
import { WhenOrderProcessingStartedRequestSettlement } from './when-order-processing-started-request-settlement';
import { WhenPixChargeEndedSettleCharge } from './when-pix-charge-ended-settle-charge';
import { WhenTransactionConfirmedSettleOrder } from './when-transaction-confirmed-settle-order';
import { WhenTransactionFailedFailOrder } from './when-transaction-failed-fail-order';

/** What the service does because of events, in the order in which it does it. */
export const ORDERS_POLICIES = [
  WhenOrderProcessingStartedRequestSettlement, WhenPixChargeEndedSettleCharge, WhenTransactionConfirmedSettleOrder, WhenTransactionFailedFailOrder,
  WhenAccountReleasedRequestSettlements,
] as const;
