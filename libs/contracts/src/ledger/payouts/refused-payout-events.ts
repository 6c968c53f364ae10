import { event } from '@ponte/event-sourcing';
import type { AmountOf, Timestamp } from '../../shared';
import type { Posting } from '../postings';

/**
 * Stream `withdrawal-<withdrawalId>`, after `WithdrawalRolledBack`: the bank was asked again about a payout that it had
 * refused or cancelled, and has not made it.
 */
export class RefusedPayoutRead extends event('RefusedPayoutRead')<{
  withdrawalId: string;
  accountId: string;
  /** `unknown`: the bank has no payment with this id any more. */
  status: 'refused' | 'pending' | 'unknown';
  readAt: Timestamp;
}> {}

/**
 * Stream `withdrawal-<withdrawalId>`, after `WithdrawalRolledBack`: the bank made a payout that it had refused or
 * cancelled. The funds had gone back to the account, so the house bears the loss. Appended once per withdrawal.
 */
export class RefusedPayoutPosted extends event('RefusedPayoutPosted')<{
  withdrawalId: string;
  accountId: string;
  /** As in `WithdrawalCreated`. */
  orderId?: string;
  /** Id of the payment in the Pix or TED system; null if the bank gives none. */
  endToEndId: string | null;
  amount: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}

export const REFUSED_PAYOUT_EVENTS = [RefusedPayoutRead, RefusedPayoutPosted] as const;
