import { event } from '@ponte/event-sourcing';
import type { AmountOf, Timestamp } from '../shared';
import type { Posting } from './postings';

/**
 * The bank did not execute the return. It is attempted again under `nextReturnId`. If that is null, staff have to
 * act, unless the bank had taken the payment back before.
 */
export class DepositReturnFailed extends event('DepositReturnFailed')<{
  depositId: string;
  returnId: string;
  nextReturnId: string | null;
  failedAt: Timestamp;
}> {}

/**
 * The return is not requested from the bank while money must not leave the account: it is frozen for one of
 * `STOPPING_REASONS`, and the payment came from its holder.
 */
export class DepositReturnBlocked extends event('DepositReturnBlocked')<{
  depositId: string;
  returnId: string;
  blockedAt: Timestamp;
}> {}

/** The account is no longer frozen for such a reason. The return is requested. */
export class DepositReturnUnblocked extends event('DepositReturnUnblocked')<{
  depositId: string;
  returnId: string;
  unblockedAt: Timestamp;
}> {}

/** The bank executed the return. */
export class DepositReturned extends event('DepositReturned')<{
  depositId: string;
  returnId: string;
  returnedAt: Timestamp;
  /** The id of the return in the payment system: `D…` for a Pix, the control number of a TED. Absent if not given. */
  bankReturnId?: string;
  /** Set if the bank took the payment back before it executed the return. The return is then not requested again. */
  takenBack?: true;
}> {}

/**
 * The bank took a payment back that had been paid back before: the money left our bank twice, and the house bears the
 * loss. Appended once per deposit.
 */
export class DoubleReturnPosted extends event('DoubleReturnPosted')<{
  depositId: string;
  /**
   * The return that the bank had executed; null if two staff members had confirmed that they sent the money back.
   */
  returnId: string | null;
  /** The id of that return in the payment system, if the bank executed it only after it took the payment back. */
  bankReturnId?: string;
  amount: AmountOf;
  postings: readonly Posting[];
  postedAt: Timestamp;
}> {}

export const DEPOSIT_RETURN_EVENTS = [
  DepositReturnBlocked,
  DepositReturnUnblocked,
  DepositReturnFailed,
  DepositReturned,
  DoubleReturnPosted,
] as const;
