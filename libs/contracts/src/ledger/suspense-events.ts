import { event } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AmountOf, Timestamp } from '../shared';
import type { Posting } from './postings';
import type { SetAside } from './set-aside-events';

/**
 * Why money is in suspense. `return-refused`: the bank permanently refused to send it back to its payer. `unallocated`:
 * no account may receive it, or its account was closed before it was credited. `set-aside`: tokens that arrived at a
 * closed account and that two staff members set aside.
 */
export const SUSPENSE_CAUSES = ['return-refused', 'unallocated', 'set-aside'] as const;
export type SuspenseCause = (typeof SUSPENSE_CAUSES)[number];

/**
 * `open`: nothing is proposed. `proposed`: a proposal waits for a second staff member. `sending`: tokens are on their
 * way. `settled`: final.
 */
export const SUSPENSE_STATUSES = ['open', 'proposed', 'sending', 'settled'] as const;
export type SuspenseStatus = (typeof SUSPENSE_STATUSES)[number];

/**
 * Stream `deposit-<depositId>`. The money is at the bank, or the tokens are in a Ponte wallet. They are in no
 * balance, and Ponte cannot send them back by itself. They are in `house:suspense` until they have left.
 */
export class SuspensePosted extends event('SuspensePosted')<{
  depositId: string;
  cause: SuspenseCause;
  amount: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
  /** Set if the cause is `set-aside`. */
  setAside?: SetAside;
}> {}

/** A staff member sent the money back outside Ponte. Another staff member has to confirm it. */
export class SuspenseSettlementProposed extends event('SuspenseSettlementProposed')<{
  depositId: string;
  /** Counts the proposals for this deposit, from 1. */
  proposal: number;
  /** The bank's reference of the payment: an end-to-end id or the control number of a TED. */
  bankReference: string;
  /**
   * What was done, in the words of the staff member. Sealed under the subject of the payer's data, and erased with it.
   */
  note: Sealed;
  /**
   * The payer's stream of mentions, see `payerIdOf`. The note has a subject of its own if that data had been erased.
   */
  payerId: string;
  staffId: string;
  proposedAt: Timestamp;
}> {}

/** The proposal was wrong. The money stays in suspense. */
export class SuspenseSettlementRejected extends event('SuspenseSettlementRejected')<{
  depositId: string;
  proposal: number;
  staffId: string;
  rejectedAt: Timestamp;
}> {}

/**
 * The money left the bank, and suspense. Either two staff members say so, or the bank took the payment back: then
 * `proposal` and `confirmedBy` are null.
 */
export class SuspenseSettled extends event('SuspenseSettled')<{
  depositId: string;
  amount: AmountOf;
  postings: readonly Posting[];
  proposal: number | null;
  confirmedBy: string | null;
  settledAt: Timestamp;
}> {}

export const SUSPENSE_EVENTS = [
  SuspensePosted,
  SuspenseSettlementProposed,
  SuspenseSettlementRejected,
  SuspenseSettled,
] as const;
export type SuspenseEvent = InstanceType<(typeof SUSPENSE_EVENTS)[number]>;

/**
 * Stream `settlementReference-<id>`, derived from a bank reference: the settlement that the reference stands for. One
 * payment at the bank settles one deposit. A later claim replaces that of a proposal that was not confirmed.
 */
export class SettlementReferenceClaimed extends event('SettlementReferenceClaimed')<{
  depositId: string;
  proposal: number;
  claimedAt: Timestamp;
}> {}

/**
 * Stream `settlementReference-<id>`: the bank reference is that of a payment that Ponte made, so it settles no deposit.
 * Appended before the withdrawal is completed or the deposit is returned.
 */
export class SettlementReferenceBooked extends event('SettlementReferenceBooked')<{
  payment: BookedPayment;
  bookedAt: Timestamp;
}> {}

/** A payment that Ponte made: of a withdrawal, or the return of a deposit. */
export interface BookedPayment {
  readonly kind: 'withdrawal' | 'return';
  /** The withdrawal's id, or the deposit's. */
  readonly id: string;
}

export const SETTLEMENT_REFERENCE_EVENTS = [SettlementReferenceClaimed, SettlementReferenceBooked] as const;
export type SettlementReferenceEvent = InstanceType<(typeof SETTLEMENT_REFERENCE_EVENTS)[number]>;
