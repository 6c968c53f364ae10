import type { Sealed } from '@ponte/event-sourcing';
import type {
  AddressHit,
  AddressVerdict,
  Failure,
  Timestamp,
  WithdrawalReview,
  WithdrawalCreated,
  WithdrawalEvent,
} from '@ponte/contracts';
import { childId, txidOf } from '@ponte/kernel';
import type { RefusedPayout, RefusedPayoutAnswer } from '../refused-payout/refused-payout.domain';
import { nextCheck, refusedPayout } from '../refused-payout/refused-payout.domain';
import { heldAgain, reviewedBy } from '../withdrawal-review/withdrawal-review.domain';

export type WithdrawalTerms = WithdrawalCreated['data'];

interface Known {
  readonly terms: WithdrawalTerms;
  readonly since: Timestamp;
  readonly review: WithdrawalReview | null;
}

export interface Sent {
  readonly endToEndId: string | null;
  readonly txHash: string | null;
}

/** A withdrawal that was created, in any later state. */
export type CreatedWithdrawal =
  | (Known & { readonly status: 'created'; readonly scheduledFor: Timestamp | null })
  /** `signedAt`: when the transaction was signed first. A raised fee changes only its hash. */
  | (Known & { readonly status: 'processing'; readonly txHash: string | null; readonly signedAt?: Timestamp })
  | (Known & Sent & { readonly status: 'completed' })
  | (Known & {
      readonly status: 'rolled-back';
      readonly txHash: string | null;
      readonly failure: Failure;
      /** Null for tokens. */
      readonly refusedPayout: RefusedPayout | null;
    });

/** `abandoned`: funds were held for requests that failed. None of these holds can belong to a withdrawal any more. */
export type Withdrawal =
  | { readonly status: 'absent' }
  | { readonly status: 'abandoned'; readonly holdIds: ReadonlySet<string> }
  | CreatedWithdrawal;

/** `now` is the single clock reading for the decision. */
export type WithdrawalCommand =
  /** `terms.createdAt` is the clock reading. */
  | { readonly kind: 'create'; readonly terms: WithdrawalTerms }
  | { readonly kind: 'abandon'; readonly withdrawalId: string; readonly accountId: string; readonly holdId: string }
  | { readonly kind: 'postpone'; readonly until: Timestamp }
  /** Sanctions lists name the address. Hits that a review has covered do not hold the withdrawal. */
  | { readonly kind: 'hold-for-review'; readonly hits: readonly AddressHit[]; readonly now: Timestamp }
  | {
      readonly kind: 'review';
      /** What was read; see `addressReviewVersion`. */
      readonly version: string;
      readonly verdict: AddressVerdict;
      readonly reason: Sealed;
      readonly staffId: string;
      readonly now: Timestamp;
    }
  | { readonly kind: 'start'; readonly now: Timestamp }
  | { readonly kind: 'note-broadcast'; readonly txHash: string; readonly now: Timestamp }
  | ({ readonly kind: 'complete'; readonly now: Timestamp } & Sent)
  /**
   * `from` is the state that the reason applies to: a failed check before sending must not roll back a withdrawal that
   * was sent meanwhile.
   */
  | {
      readonly kind: 'roll-back';
      readonly from: 'created' | 'processing';
      readonly failure: Failure;
      readonly now: Timestamp;
    }
  | ({ readonly kind: 'note-refused-payout' } & RefusedPayoutAnswer);

/** The hold was abandoned before the withdrawal was created; the request has to take a new hold. */
export class HoldAbandoned extends Error {
  override readonly name = 'HoldAbandoned';
  constructor(readonly holdId: string) {
    super('the hold of this withdrawal was abandoned');
  }
}

/** The hold id of the n-th attempt to create a withdrawal, from 0. */
export const withdrawalHoldId = (withdrawalId: string, attempt: number): string =>
  childId(withdrawalId, 'withdrawal-hold', String(attempt));

/** The payment's id at the bank, 32 hex characters. Each withdrawal has exactly one, permanently. */
export const paymentIdOf = (withdrawalId: string): string => txidOf(withdrawalId);

/** The withdrawal id of a payment id; undefined if it is not one of ours. */
export function withdrawalIdOf(paymentId: string): string | undefined {
  if (!/^[0-9a-f]{32}$/.test(paymentId)) return undefined;
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => paymentId.slice(from, to))
    .join('-');
}

/** The state if the withdrawal was created, otherwise undefined. */
export const created = (state: Withdrawal): CreatedWithdrawal | undefined =>
  state.status === 'absent' || state.status === 'abandoned' ? undefined : state;

/** Whether the withdrawal was created, or the hold abandoned: a request that placed the hold has come to its end. */
export const isDecided = (state: Withdrawal, holdId: string): boolean =>
  created(state) !== undefined || abandonedHolds(state).has(holdId);

/** The state right after creation. */
export const asCreated = (terms: WithdrawalTerms): CreatedWithdrawal => ({
  status: 'created',
  terms,
  since: terms.createdAt,
  scheduledFor: terms.scheduledFor,
  review: null,
});

const NONE: ReadonlySet<string> = new Set();

export const abandonedHolds = (state: Withdrawal): ReadonlySet<string> =>
  state.status === 'abandoned' ? state.holdIds : NONE;

export const damaged = (): never => {
  throw new Error('the stream of a withdrawal is damaged');
};

/** Throws on an event that cannot follow the previous events. */
export function evolve(state: Withdrawal, event: WithdrawalEvent): Withdrawal {
  switch (event.type) {
    case 'WithdrawalCreated':
      return asCreated(event.data);
    case 'WithdrawalAbandoned':
      return { status: 'abandoned', holdIds: new Set([...abandonedHolds(state), event.data.holdId]) };
    case 'WithdrawalPostponed':
      return { status: 'created', ...known(state), scheduledFor: event.data.scheduledFor };
    case 'WithdrawalHeldForReview':
      return { ...createdOnly(state), review: heldAgain(event.data) };
    case 'WithdrawalReviewed':
      return { ...createdOnly(state), review: reviewedBy(known(state).review, event.data) };
    case 'WithdrawalProcessingStarted':
      return { status: 'processing', ...known(state), since: event.data.startedAt, txHash: null };
    case 'WithdrawalBroadcast': {
      const { txHash, broadcastAt } = event.data;
      const signedAt = (state.status === 'processing' && state.signedAt) || broadcastAt;
      return { status: 'processing', ...known(state), txHash, signedAt };
    }
    case 'WithdrawalCompleted': {
      const { processedAt, endToEndId, txHash } = event.data;
      return { status: 'completed', ...known(state), since: processedAt, endToEndId, txHash };
    }
    case 'WithdrawalRolledBack': {
      const { rolledBackAt, failure } = event.data;
      return {
        status: 'rolled-back',
        ...known(state),
        since: rolledBackAt,
        failure,
        txHash: state.status === 'processing' ? state.txHash : null,
        refusedPayout: refusedPayout(event.data),
      };
    }
    case 'RefusedPayoutChecked': {
      const { refusedPayout: payout, ...rolledBack } = rolledBackOnly(state);
      const checkAgainAt = nextCheck(rolledBack.since, event.data);
      // A later version may check payouts that this one does not.
      return { ...rolledBack, refusedPayout: payout && { ...payout, checkAgainAt } };
    }
    case 'RefusedPayoutPosted': {
      const { endToEndId, postedAt } = event.data;
      return { ...rolledBackOnly(state), refusedPayout: { checkAgainAt: null, made: { endToEndId, postedAt } } };
    }
    case 'RefusedPayoutAlreadyPosted': {
      const made = { endToEndId: event.data.endToEndId, postedAt: null };
      return { ...rolledBackOnly(state), refusedPayout: { checkAgainAt: null, made } };
    }
  }
}

/** Whether the transaction of a withdrawal with this hold was signed, so that it may have cost gas. */
export const wasSigned = (state: CreatedWithdrawal, holdId: string): boolean =>
  state.terms.holdId === holdId && state.status === 'rolled-back' && state.txHash !== null;

const rolledBackOnly = (state: Withdrawal) => (state.status === 'rolled-back' ? state : damaged());

const createdOnly = (state: Withdrawal) => (state.status === 'created' ? state : damaged());

const known = (state: Withdrawal): Known => {
  const { terms, since, review } = created(state) ?? damaged();
  return { terms, since, review };
};
