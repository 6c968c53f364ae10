import type { AddressHit, Failure, Timestamp, WithdrawalEvent, WithdrawalState } from '@ponte/contracts';
import {
  WITHDRAWAL_EVENTS,
  WithdrawalAbandoned,
  WithdrawalBroadcast,
  WithdrawalCompleted,
  WithdrawalCreated,
  WithdrawalHeldForReview,
  WithdrawalPostponed,
  WithdrawalReviewed,
  WithdrawalProcessingStarted,
  WithdrawalRolledBack,
  withdrawalMachine,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { pick, refuse } from '@ponte/kernel';
import { noteRefusedPayout } from '../refused-payout/refused-payout.domain';
import { failureOf } from './withdrawal.failures';
import { assertReviewRead, awaitsReview, isCovered } from '../withdrawal-review/withdrawal-review.domain';
import type { WithdrawalTerms, Sent, Withdrawal, WithdrawalCommand } from './withdrawal.state';
import { HoldAbandoned, abandonedHolds, created, damaged, evolve } from './withdrawal.state';

/** Stream `withdrawal-<withdrawalId>`. An outdated step changes nothing, so every step may be repeated. */
export const withdrawal: Decider<WithdrawalCommand, Withdrawal, WithdrawalEvent> = {
  category: 'withdrawal',
  continuesTrace: true,
  initial: { status: 'absent' },
  creation: WithdrawalCreated,
  events: WITHDRAWAL_EVENTS,
  decide(command, state) {
    switch (command.kind) {
      case 'create':
        return create(command.terms, state);
      case 'abandon':
        return abandon(command, state);
      case 'postpone':
        return postpone(command.until, state);
      case 'hold-for-review':
        return holdForReview(command, state);
      case 'review':
        return review(command, state);
      case 'start':
        return start(command.now, state);
      case 'note-broadcast': {
        if (state.status !== 'processing' || state.txHash === command.txHash) return [];
        const { withdrawalId, accountId } = state.terms;
        return [new WithdrawalBroadcast({ withdrawalId, accountId, txHash: command.txHash, broadcastAt: command.now })];
      }
      case 'complete':
        return complete(command, state);
      case 'roll-back':
        return rollBack(command, state);
      case 'note-refused-payout':
        return state.status === 'rolled-back' ? noteRefusedPayout(command, state.terms, state.refusedPayout) : [];
    }
  },
  evolve,
};

function create(terms: WithdrawalTerms, state: Withdrawal): WithdrawalEvent[] {
  if (created(state)) return [];
  if (abandonedHolds(state).has(terms.holdId)) throw new HoldAbandoned(terms.holdId);
  return [new WithdrawalCreated(terms)];
}

function abandon(
  { withdrawalId, accountId, holdId }: { withdrawalId: string; accountId: string; holdId: string },
  state: Withdrawal,
): WithdrawalEvent[] {
  if (created(state) || abandonedHolds(state).has(holdId)) return [];
  return [new WithdrawalAbandoned({ withdrawalId, accountId, holdId })];
}

function postpone(until: Timestamp, state: Withdrawal): WithdrawalEvent[] {
  if (state.status !== 'created' || state.scheduledFor === until) return [];
  const { withdrawalId, accountId } = state.terms;
  return [new WithdrawalPostponed({ withdrawalId, accountId, scheduledFor: until })];
}

function holdForReview(
  { hits, now }: { hits: readonly AddressHit[]; now: Timestamp },
  state: Withdrawal,
): WithdrawalEvent[] {
  if (state.status !== 'created' || isCovered(state.review, hits)) return [];
  const { withdrawalId, accountId } = state.terms;
  return [new WithdrawalHeldForReview({ withdrawalId, accountId, hits, heldAt: now })];
}

/** Two different staff members have to agree on a false positive, because every hit needs four eyes. */
function review(
  { version, verdict, reason, staffId, now }: Extract<WithdrawalCommand, { kind: 'review' }>,
  state: Withdrawal,
): WithdrawalEvent[] {
  if (state.status !== 'created' || state.review === null || !awaitsReview(state.review))
    return refuse('review-not-open', 'the withdrawal is not waiting for a review', 'id');
  if (verdict === 'false-positive' && state.review.verdicts.some((one) => one.staffId === staffId)) {
    return refuse('second-approver-required', 'a different staff member has to make the second decision', 'id');
  }
  assertReviewRead(state.review, version);
  const { withdrawalId, accountId } = state.terms;
  const reviewed = new WithdrawalReviewed({ withdrawalId, accountId, verdict, reason, staffId, reviewedAt: now });
  return verdict === 'false-positive'
    ? [reviewed]
    : [reviewed, ...rollBack({ from: 'created', failure: failureOf('compliance'), now }, state)];
}

function start(now: Timestamp, state: Withdrawal): WithdrawalEvent[] {
  if (state.status !== 'created' || awaitsReview(state.review)) return [];
  const { withdrawalId, accountId, asset, amount, holdId, target } = state.terms;
  const destinationWalletAddress = target.method === 'token' ? target.destinationWalletAddress : null;
  return [
    new WithdrawalProcessingStarted({
      withdrawalId,
      accountId,
      method: target.method,
      asset,
      amount,
      holdId,
      destinationWalletAddress,
      startedAt: moving(state.status, 'processing', now),
      ...orderOf(state.terms),
    }),
  ];
}

function complete({ now, endToEndId, txHash }: Sent & { now: Timestamp }, state: Withdrawal): WithdrawalEvent[] {
  if (state.status === 'completed') return [];
  const { status, terms } = created(state) ?? damaged();
  return [
    new WithdrawalCompleted({
      ...pick(terms, 'withdrawalId', 'accountId', 'createdBy', 'createdByApiKey', 'asset', 'amount', 'target'),
      endToEndId,
      txHash,
      processedAt: moving(status, 'completed', now),
      ...orderOf(terms),
    }),
  ];
}

function rollBack(
  { from, failure, now }: { from: 'created' | 'processing'; failure: Failure; now: Timestamp },
  state: Withdrawal,
): WithdrawalEvent[] {
  if (state.status !== from) return [];
  const { terms } = state;
  return [
    new WithdrawalRolledBack({
      ...pick(terms, 'withdrawalId', 'accountId', 'createdBy', 'createdByApiKey', 'asset', 'amount'),
      method: terms.target.method,
      holdId: terms.holdId,
      previousState: from,
      failure,
      rolledBackAt: moving(from, 'rolled-back', now),
      ...orderOf(terms),
    }),
  ];
}

/** The id of the order that is paid out, if there is one. */
const orderOf = ({ orderId }: WithdrawalTerms): { orderId?: string } => (orderId === undefined ? {} : { orderId });

/** Returns the time of a move after asserting that the state machine allows it. */
function moving(from: WithdrawalState, to: WithdrawalState, at: Timestamp): Timestamp {
  assertMove(withdrawalMachine, from, to);
  return at;
}
