import { WhenAccountReleasedRequestMints } from './when-account-released-request-mints';
import { WhenOrderProcessingStartedRequestMint } from './when-order-processing-started-request-mint';
import { WhenPixChargeEndedSettleCharge } from './when-pix-charge-ended-settle-charge';
import { WhenTransactionConfirmedCompleteOrder } from './when-transaction-confirmed-complete-order';
import { WhenTransactionFailedFailOrder } from './when-transaction-failed-fail-order';

/** What the service does because of events, in the order in which it does it. */
export const ORDERS_POLICIES = [
  WhenOrderProcessingStartedRequestMint, WhenPixChargeEndedSettleCharge, WhenTransactionConfirmedCompleteOrder, WhenTransactionFailedFailOrder,
  WhenAccountReleasedRequestMints,
] as const;
