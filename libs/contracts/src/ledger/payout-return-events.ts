import { event } from '@ponte/event-sourcing';
import type { DecimalText, Timestamp } from '../shared';

/**
 * Stream `payoutReturns-<withdrawalId>`: the bank listed a return of the payment that the withdrawal made. Appended
 * before the deposit of the return is created, once per return, so that the returns of a payment are counted even if
 * the bank no longer lists some of them.
 */
export class PayoutReturnListed extends event('PayoutReturnListed')<{
  withdrawalId: string;
  /** The bank's id of the return. */
  returnId: string;
  /** In the asset of the withdrawal, as the bank stated it first. */
  amount: DecimalText;
  /** Whether all returns that the bank ever listed were more than the payment. The return then goes to suspense. */
  exceeds: boolean;
  listedAt: Timestamp;
}> {}

export const PAYOUT_RETURN_EVENTS = [PayoutReturnListed] as const;
export type PayoutReturnEvent = InstanceType<(typeof PAYOUT_RETURN_EVENTS)[number]>;
