import { WhenAddressReviewedRequestSettlement } from './settlement/when-address-reviewed-request-settlement.policy';
import { WhenAccountFrozenEndUncoveredOrders } from './settlement/when-account-frozen-end-uncovered-orders.policy';
import { WhenAccountReleasedRequestSettlements } from './settlement/when-account-released-request-settlements.policy';
import { WhenDepositTakenBackEndOrder } from './settlement/when-deposit-taken-back-end-order.policy';
import { WhenOrderProcessingStartedRequestSettlement } from './settlement/when-order-processing-started-request-settlement.policy';
import { WhenOrderSettledPayItOut } from './delivery/when-order-settled-pay-it-out.policy';
import { WhenPixChargeEndedSettleCharge } from './funding/when-pix-charge-ended-settle-charge.policy';
import { WhenTransactionConfirmedSettleOrder } from './settlement/when-transaction-confirmed-settle-order.policy';
import { WhenTransactionFailedFailOrder } from './settlement/when-transaction-failed-fail-order.policy';
import { WhenWithdrawalEndedDeliverOrder } from './delivery/when-withdrawal-ended-deliver-order.policy';

/** The policies of this service, in the order in which they run. */
export const ORDERS_POLICIES = [
  WhenOrderProcessingStartedRequestSettlement,
  WhenPixChargeEndedSettleCharge,
  WhenTransactionConfirmedSettleOrder,
  WhenTransactionFailedFailOrder,
  WhenAccountReleasedRequestSettlements,
  WhenOrderSettledPayItOut,
  WhenWithdrawalEndedDeliverOrder,
  WhenAddressReviewedRequestSettlement,
  WhenDepositTakenBackEndOrder,
  WhenAccountFrozenEndUncoveredOrders,
] as const;
