import { WhenAddressReviewedRequestSettlement } from '../order/when-address-reviewed-request-settlement.policy';
import { WhenAccountReleasedRequestSettlements } from './when-account-released-request-settlements';
import { WhenOrderProcessingStartedRequestSettlement } from './when-order-processing-started-request-settlement';
import { WhenOrderSettledPayItOut } from './when-order-settled-pay-it-out.policy';
import { WhenPixChargeEndedSettleCharge } from './when-pix-charge-ended-settle-charge';
import { WhenTransactionConfirmedSettleOrder } from './when-transaction-confirmed-settle-order';
import { WhenTransactionFailedFailOrder } from './when-transaction-failed-fail-order';
import { WhenWithdrawalEndedDeliverOrder } from './when-withdrawal-ended-deliver-order.policy';

/** What the service does because of events, in the order in which it does it. */
export const ORDERS_POLICIES = [
  WhenOrderProcessingStartedRequestSettlement,
  WhenPixChargeEndedSettleCharge,
  WhenTransactionConfirmedSettleOrder,
  WhenTransactionFailedFailOrder,
  WhenAccountReleasedRequestSettlements,
  WhenOrderSettledPayItOut,
  WhenWithdrawalEndedDeliverOrder,
  WhenAddressReviewedRequestSettlement,
] as const;
