import type { DepositEvent } from '@ponte/contracts';
import {
  DepositConfirmed,
  DepositCreated,
  DepositCredited,
  DepositFinalized,
  DepositReturnFailed,
  DepositReturnRequested,
  DepositReturned,
  DepositVoided,
  depositMachine,
  isTokenCoordinates,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import type { DepositFacts, Refund, Known, Deposit, Verdict, DepositCommand } from './deposit.state';
import { MAX_RETURNS, returnIdOf, refundOf, isForRules, awaitsFinality } from './deposit.state';
import { confirmedArrival, finalizedArrival, refusedSender, voidedArrival } from './deposit-arrivals.domain';

/** Stream `deposit-<depositId>`. What there is nothing to do about is nothing: every step may be asked for again. */
export const deposit: Decider<DepositCommand, Deposit, DepositEvent> = {
  category: 'deposit',
  initial: { status: 'none' },
  events: [
    DepositCreated,
    DepositConfirmed,
    DepositFinalized,
    DepositCredited,
    DepositVoided,
    DepositReturnRequested,
    DepositReturnFailed,
    DepositReturned,
  ],
  decide(command, state) {
    switch (command.kind) {
      case 'create':
        return state.status === 'none' ? [new DepositCreated(command.facts)] : [];
      case 'confirm':
        return confirmed(command.staffId, command.now, state);
      case 'reject':
        return rejected(command.now, state);
      case 'confirm-arrival':
        return confirmedArrival(command.now, state);
      case 'finalize-arrival':
        return finalizedArrival(command, state);
      case 'void-reorged':
        return voidedArrival(command.now, state);
      case 'refuse-sender':
        return refusedSender(command.now, state);
      case 'validate':
        return state.status === 'created' && isForRules(state.facts)
          ? [validated(command.verdict, command.now, state.facts)]
          : [];
      case 'credit': {
        if (state.status !== 'confirmed' || awaitsFinality(state)) return [];
        assertMove(depositMachine, state.status, 'credited');
        const { depositId, orderId, type, asset, amount, coordinates, createdAt } = state.facts;
        const credited = {
          depositId,
          accountId: state.accountId,
          processedAt: command.now,
          orderId,
          type,
          asset,
          amount,
          coordinates,
        };
        return [new DepositCredited(isTokenCoordinates(coordinates) ? { ...credited, createdAt } : credited)];
      }
      case 'take-back':
        return takenBack(state, command.now);
      case 'request-return': {
        if (state.status !== 'credited' || state.refund) return [];
        const { depositId } = state.facts;
        return [
          new DepositReturnRequested({
            depositId,
            returnId: returnIdOf(depositId, 1),
            reason: command.reason,
            requestedAt: command.now,
          }),
        ];
      }
      case 'note-return': {
        const refund = refundOf(state);
        if (state.status === 'none' || refund?.state !== 'due' || refund.returnId !== command.returnId) return [];
        const { depositId } = state.facts;
        const { returnId, now } = command;
        if (command.carriedOut) return [new DepositReturned({ depositId, returnId, returnedAt: now })];
        const nextReturnId = refund.attempt < MAX_RETURNS ? returnIdOf(depositId, refund.attempt + 1) : null;
        return [new DepositReturnFailed({ depositId, returnId, nextReturnId, failedAt: now })];
      }
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'DepositCreated':
        return { status: 'created', facts: event.data, updatedAt: event.data.createdAt };
      case 'DepositConfirmed':
        return {
          status: 'confirmed',
          facts: begun(state).facts,
          accountId: event.data.accountId,
          updatedAt: event.data.confirmedAt,
        };
      case 'DepositFinalized':
        return state.status === 'confirmed'
          ? { ...state, final: true, ...(event.data.hits === undefined ? {} : { hits: event.data.hits }) }
          : damaged();
      case 'DepositCredited': {
        const { accountId, processedAt } = event.data;
        return {
          status: 'credited',
          facts: begun(state).facts,
          accountId,
          processedAt,
          refund: null,
          updatedAt: processedAt,
        };
      }
      case 'DepositVoided': {
        const { returnId, reason, voidedAt } = event.data;
        return {
          status: 'voided',
          facts: begun(state).facts,
          reason,
          refund: returnId === null ? null : { returnId, reason, attempt: 1, state: 'due' },
          books: booksOf(state),
          updatedAt: voidedAt,
        };
      }
      case 'DepositReturnRequested':
        return refunding(state, { returnId: event.data.returnId, reason: event.data.reason, attempt: 1, state: 'due' });
      case 'DepositReturnFailed': {
        const refund = begunRefund(state);
        const { nextReturnId } = event.data;
        return refunding(
          state,
          nextReturnId === null
            ? { ...refund, state: 'failed' }
            : { ...refund, returnId: nextReturnId, attempt: refund.attempt + 1 },
        );
      }
      case 'DepositReturned':
        return refunding(state, { ...begunRefund(state), state: 'done' });
    }
  },
};

/** Four eyes: the staff member who recorded a deposit cannot confirm it. */
function confirmed(staffId: string, now: string, state: Deposit): DepositEvent[] {
  if (state.status === 'none' || !state.facts.recorded)
    return refuse('deposit-not-found', 'staff recorded no such deposit');
  if (state.facts.recorded.staffId === staffId)
    return refuse('second-approver-required', 'another member of staff has to confirm the deposit', 'id');
  if (state.status === 'voided') return refuse('review-not-open', 'the deposit was rejected before', 'id');
  const { depositId, accountId } = state.facts;
  if (state.status !== 'created' || accountId === null) return [];
  assertMove(depositMachine, 'created', 'confirmed');
  return [new DepositConfirmed({ depositId, accountId, confirmedAt: now, confirmedBy: staffId })];
}

function rejected(now: string, state: Deposit): DepositEvent[] {
  if (state.status === 'none' || !state.facts.recorded)
    return refuse('deposit-not-found', 'staff recorded no such deposit');
  if (state.status === 'voided') return [];
  if (state.status !== 'created') return refuse('review-not-open', 'the deposit was confirmed before', 'id');
  const { depositId, accountId, type, asset, amount, orderId } = state.facts;
  assertMove(depositMachine, 'created', 'voided');
  return [
    new DepositVoided({
      depositId,
      accountId,
      voidedAt: now,
      reason: 'refused-by-staff',
      returnId: null,
      type,
      asset,
      amount,
      orderId,
    }),
  ];
}

const booksOf = (state: Deposit): 'credited' | 'reversed' | 'not-credited' =>
  state.status !== 'credited' ? 'not-credited' : state.refund === null ? 'credited' : 'reversed';

/** Nothing when it is on its way back already: the bank sends the same money back once. */
function takenBack(state: Deposit, now: string): DepositEvent[] {
  if (state.status === 'none' || state.status === 'voided' || refundOf(state)?.state === 'done') return [];
  assertMove(depositMachine, state.status, 'voided');
  const { depositId, type, asset, amount, orderId } = state.facts;
  const accountId = state.status === 'created' ? state.facts.accountId : state.accountId;
  return [
    new DepositVoided({
      depositId,
      accountId,
      voidedAt: now,
      reason: 'taken-back',
      returnId: null,
      type,
      asset,
      amount,
      orderId,
    }),
  ];
}

function validated(verdict: Verdict, now: string, facts: DepositFacts): DepositEvent {
  const { depositId, accountId, type, asset, amount, orderId } = facts;
  if (verdict.accepted) {
    assertMove(depositMachine, 'created', 'confirmed');
    return new DepositConfirmed({ depositId, accountId: verdict.accountId, confirmedAt: now });
  }
  assertMove(depositMachine, 'created', 'voided');
  return new DepositVoided({
    depositId,
    accountId,
    voidedAt: now,
    reason: verdict.reason,
    returnId: returnIdOf(depositId, 1),
    type,
    asset,
    amount,
    orderId,
  });
}

const damaged = (): never => {
  throw new Error('the stream of a deposit is damaged');
};

const begun = (state: Deposit): Known => (state.status === 'none' ? damaged() : state);

const begunRefund = (state: Deposit): Refund => refundOf(state) ?? damaged();

const refunding = (state: Deposit, refund: Refund): Deposit =>
  state.status === 'voided' || state.status === 'credited' ? { ...state, refund } : damaged();
