import { event } from '@ponte/event-sourcing';
import type { AmountOf, Timestamp } from '../../shared';
import type { Posting } from '../postings';

/**
 * Stream `withdrawal-<withdrawalId>`, after `WithdrawalRolledBack`: the bank was asked again about the payout, and
 * has not made it.
 */
export class RefusedPayoutChecked extends event('RefusedPayoutChecked')<{
  withdrawalId: string;
  accountId: string;
  /** `unknown`: the bank has no payment with this id any more. */
  status: 'refused' | 'pending' | 'unknown';
  checkedAt: Timestamp;
}> {}

/**
 * Stream `withdrawal-<withdrawalId>`, after `WithdrawalRolledBack`: the bank made the payout anyway. The funds
 * had gone back to the account, so the house bears the loss. Appended once per withdrawal.
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

/**
 * Stream `withdrawal-<withdrawalId>`, after `WithdrawalRolledBack`: the bank made the payout anyway, and the
 * account had been debited for it before the rollback. So nothing is posted, and the bank is not asked about this
 * payout again. Appended once per withdrawal, instead of `RefusedPayoutPosted`.
 */
export class RefusedPayoutAlreadyPosted extends event('RefusedPayoutAlreadyPosted')<{
  withdrawalId: string;
  accountId: string;
  /** Id of the payment in the Pix or TED system; null if the bank gives none. */
  endToEndId: string | null;
  checkedAt: Timestamp;
}> {}

export const REFUSED_PAYOUT_EVENTS = [RefusedPayoutChecked, RefusedPayoutPosted, RefusedPayoutAlreadyPosted] as const;
