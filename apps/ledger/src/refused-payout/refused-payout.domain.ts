import type { Timestamp, WithdrawalCreated, WithdrawalRolledBack } from '@ponte/contracts';
import { RefusedPayoutPosted, RefusedPayoutRead } from '@ponte/contracts';
import { Money, addSeconds } from '@ponte/kernel';
import { balanced, doubleReturnPostings } from '../ledger-account/postings.domain';

const DAY_SECONDS = 24 * 60 * 60;
/**
 * When the bank is asked again about a payout that it refused or cancelled, in seconds after the rollback. The last
 * time is later than any weekend with adjoining holidays. After an outage, one check is made, even if several were
 * missed.
 */
export const READ_AGAIN_SECONDS = [60 * 60, DAY_SECONDS, 7 * DAY_SECONDS] as const;

/** A payout that the bank refused or cancelled after a request for it may have reached the bank. */
export interface RefusedPayout {
  /** When the bank is asked again; null if it will not be asked again. */
  readonly readAgainAt: Timestamp | null;
  /** The payment, if the bank made it nevertheless. */
  readonly made: { readonly endToEndId: string | null; readonly postedAt: Timestamp } | null;
}

/** What the bank says about a refused payout at the time `now`; `unknown` if it has no payment with this id. */
export interface RefusedPayoutAnswer {
  readonly status: 'completed' | RefusedPayoutRead['data']['status'];
  /** Only set for a completed payment. */
  readonly endToEndId: string | null;
  readonly now: Timestamp;
}

/** Null if no payment was ever requested from the bank: the withdrawal was not started, or it is one of tokens. */
export function refusedPayout({ previousState, method, rolledBackAt }: WithdrawalRolledBack['data']) {
  if (previousState === 'created' || method === 'token') return null;
  return { readAgainAt: addSeconds(rolledBackAt, READ_AGAIN_SECONDS[0]), made: null } satisfies RefusedPayout;
}

/** A refused payout that became pending may still be made, so it is read daily until the bank has decided. */
export function nextRead(rolledBackAt: Timestamp, { status, readAt }: RefusedPayoutRead['data']): Timestamp | null {
  const next = READ_AGAIN_SECONDS.map((seconds) => addSeconds(rolledBackAt, seconds)).find((at) => at > readAt);
  return next ?? (status === 'pending' ? addSeconds(readAt, DAY_SECONDS) : null);
}

/**
 * Records what the bank reports about a refused payout. If it made the payment, the loss is posted once. Any other
 * answer is recorded only if a check was due, so notices and repetitions add no events.
 */
export function noteRefusedPayout(
  { status, endToEndId, now }: RefusedPayoutAnswer,
  { withdrawalId, accountId, asset, amount, orderId }: WithdrawalCreated['data'],
  payout: RefusedPayout | null,
): (RefusedPayoutRead | RefusedPayoutPosted)[] {
  if (payout === null || payout.made) return [];
  if (status !== 'completed') {
    const { readAgainAt } = payout;
    if (readAgainAt === null || now < readAgainAt) return [];
    return [new RefusedPayoutRead({ withdrawalId, accountId, status, readAt: now })];
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
