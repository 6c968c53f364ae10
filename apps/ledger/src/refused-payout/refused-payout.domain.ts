import type { Timestamp, WithdrawalCreated, WithdrawalRolledBack } from '@ponte/contracts';
import { RefusedPayoutAlreadyPosted, RefusedPayoutPosted, RefusedPayoutChecked } from '@ponte/contracts';
import { Money, addSeconds } from '@ponte/kernel';
import { balanced, doubleReturnPostings } from '../ledger-account/postings.domain';

const DAY_SECONDS = 24 * 60 * 60;
/**
 * When the bank is asked again about a refused payout, in seconds after the rollback. The last time is later than any
 * weekend with adjoining holidays. After an outage, one check is made, even if several were missed.
 */
export const CHECK_AGAIN_SECONDS = [60 * 60, DAY_SECONDS, 7 * DAY_SECONDS] as const;

/** A payout that the bank refused or cancelled, or whose withdrawal was rolled back before it was requested. */
export interface RefusedPayout {
  /** When the bank is asked again; null if it will not be asked again. */
  readonly checkAgainAt: Timestamp | null;
  /**
   * The payment, if the bank made it anyway. `postedAt`: when its loss was posted; null if the account had been
   * debited for it, so that there is no loss.
   */
  readonly made: { readonly endToEndId: string | null; readonly postedAt: Timestamp | null } | null;
}

/**
 * What the bank says about a refused payout at the time `now`; `unknown` if it has no payment with this id.
 * `already-posted`: it made the payment, and the account was debited for it.
 */
export interface RefusedPayoutAnswer {
  readonly status: 'completed' | 'already-posted' | RefusedPayoutChecked['data']['status'];
  /** Only set for a payment that the bank made. */
  readonly endToEndId: string | null;
  readonly now: Timestamp;
}

/**
 * Null for a withdrawal of tokens. A payout whose withdrawal was rolled back before it was requested is checked too:
 * after a restore of an older log, a request that the log no longer contains may still reach the bank.
 */
export function refusedPayout({ method, rolledBackAt }: WithdrawalRolledBack['data']) {
  if (method === 'token') return null;
  return { checkAgainAt: addSeconds(rolledBackAt, CHECK_AGAIN_SECONDS[0]), made: null } satisfies RefusedPayout;
}

/** A refused payout that became pending may still be made, so it is checked daily until the bank has decided. */
export function nextCheck(
  rolledBackAt: Timestamp,
  { status, checkedAt }: RefusedPayoutChecked['data'],
): Timestamp | null {
  const next = CHECK_AGAIN_SECONDS.map((seconds) => addSeconds(rolledBackAt, seconds)).find((at) => at > checkedAt);
  return next ?? (status === 'pending' ? addSeconds(checkedAt, DAY_SECONDS) : null);
}

/**
 * Records what the bank reports about a refused payout. If it made the payment, the loss is posted once. Any other
 * answer is recorded only if a check was due, so notices and repetitions add no events.
 */
export function noteRefusedPayout(
  { status, endToEndId, now }: RefusedPayoutAnswer,
  { withdrawalId, accountId, asset, amount, orderId }: WithdrawalCreated['data'],
  payout: RefusedPayout | null,
): (RefusedPayoutChecked | RefusedPayoutPosted | RefusedPayoutAlreadyPosted)[] {
  if (payout === null || payout.made) return [];
  if (status === 'already-posted')
    return [new RefusedPayoutAlreadyPosted({ withdrawalId, accountId, endToEndId, checkedAt: now })];
  if (status !== 'completed') {
    const { checkAgainAt } = payout;
    if (checkAgainAt === null || now < checkAgainAt) return [];
    return [new RefusedPayoutChecked({ withdrawalId, accountId, status, checkedAt: now })];
  }
  return [
    new RefusedPayoutPosted({
      withdrawalId,
      accountId,
      ...(orderId === undefined ? {} : { orderId }),
      endToEndId,
      amount: { asset, amount },
      postings: balanced(doubleReturnPostings(Money.stored(asset, amount))),
      postedAt: now,
    }),
  ];
}
