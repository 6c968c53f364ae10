import { WhenOrderPlacedStartOrder } from './when-order-placed-start-order';
import { WhenPixChargeEndedSettleCharge } from './when-pix-charge-ended-settle-charge';
import { WhenMintConfirmedCompleteOrder } from './when-mint-confirmed-complete-order';
import { WhenMintFailedFailOrder } from './when-mint-failed-fail-order';

/** What the service does because of events, in the order in which it does it. */
export const ORDERS_POLICIES = [WhenOrderPlacedStartOrder, WhenPixChargeEndedSettleCharge, WhenMintConfirmedCompleteOrder, WhenMintFailedFailOrder] as const;
