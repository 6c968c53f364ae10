import type { DepositEvent } from '@ponte/contracts';
import {
  DEPOSIT_EVENTS,
  DepositCreated,
  DepositCredited,
  DepositReturnFailed,
  DepositReturnRequested,
  DepositReturned,
  depositMachine,
  isTokenCoordinates,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import type { DepositFacts, Refund, Known, Deposit, Verdict, DepositCommand } from './deposit.state';
import { MAX_RETURNS, returnIdOf, refundOf, isForRules, awaitsFinality } from './deposit.state';
import { confirmedArrival, finalizedArrival, refusedSender, voidedArrival } from './deposit-arrivals.domain';
import { confirmedDeposit, voidedDeposit } from './deposit-ends.domain';

/** Stream `deposit-<depositId>`. A command with nothing left to do returns no events, so every step may be repeated. */
export const deposit: Decider<DepositCommand, Deposit, DepositEvent> = {
  category: 'deposit',
  initial: { status: 'none' },
  events: DEPOSIT_EVENTS,
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
        const { accountId } = state;
        const credited = { depositId, accountId, processedAt: command.now, orderId, type, asset, amount, coordinates };
        return [new DepositCredited(isTokenCoordinates(coordinates) ? { ...credited, createdAt } : credited)];
      }
      case 'take-back':
        return takenBack(state, command.now);
      case 'request-return': {
        if (state.status !== 'credited' || state.refund) return [];
        const { depositId } = state.facts;
        const { reason, now: requestedAt } = command;
        return [new DepositReturnRequested({ depositId, returnId: returnIdOf(depositId, 1), reason, requestedAt })];
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
      case 'DepositConfirmed': {
        const { accountId, confirmedAt: updatedAt } = event.data;
        return { status: 'confirmed', facts: begun(state).facts, accountId, updatedAt };
      }
      case 'DepositFinalized':
        return state.status === 'confirmed'
          ? { ...state, final: true, ...(event.data.hits === undefined ? {} : { hits: event.data.hits }) }
          : damaged();
      case 'DepositCredited': {
        const { accountId, processedAt } = event.data;
        const { facts } = begun(state);
        return { status: 'credited', facts, accountId, processedAt, refund: null, updatedAt: processedAt };
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
        const { nextReturnId, failedAt } = event.data;
        return refunding(
          state,
          nextReturnId === null
            ? { ...refund, state: 'failed', failedAt }
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
  const { status, facts } = recordedByStaff(state);
  if (facts.recorded?.staffId === staffId)
    return refuse('second-approver-required', 'a different member of staff has to confirm the deposit', 'id');
  if (status === 'voided') return refuse('review-not-open', 'the deposit has already been rejected', 'id');
  if (status !== 'created' || facts.accountId === null) return [];
  return [confirmedDeposit(facts, facts.accountId, now, staffId)];
}

function rejected(now: string, state: Deposit): DepositEvent[] {
  const { status, facts } = recordedByStaff(state);
  if (status === 'voided') return [];
  if (status !== 'created') return refuse('review-not-open', 'the deposit has already been confirmed', 'id');
  return [voidedDeposit(status, facts, { reason: 'refused-by-staff', returnId: null, now })];
}

const recordedByStaff = (state: Deposit) =>
  state.status === 'none' || !state.facts.recorded
    ? refuse('deposit-not-found', 'staff recorded no such deposit')
    : state;

const booksOf = (state: Deposit): 'credited' | 'reversed' | 'not-credited' =>
  state.status !== 'credited' ? 'not-credited' : state.refund === null ? 'credited' : 'reversed';

/** Returns no event if the money has already been returned: the bank does not send the same money back twice. */
function takenBack(state: Deposit, now: string): DepositEvent[] {
  if (state.status === 'none' || state.status === 'voided' || refundOf(state)?.state === 'done') return [];
  const { status, facts } = state;
  const accountId = status === 'created' ? facts.accountId : state.accountId;
  return [voidedDeposit(status, { ...facts, accountId }, { reason: 'taken-back', returnId: null, now })];
}

const validated = (verdict: Verdict, now: string, facts: DepositFacts): DepositEvent =>
  verdict.accepted
    ? confirmedDeposit(facts, verdict.accountId, now)
    : voidedDeposit('created', facts, { reason: verdict.reason, returnId: returnIdOf(facts.depositId, 1), now });

const damaged = (): never => {
  throw new Error('the stream of a deposit is damaged');
};

const begun = (state: Deposit): Known => (state.status === 'none' ? damaged() : state);

const begunRefund = (state: Deposit): Refund => refundOf(state) ?? damaged();

const refunding = (state: Deposit, refund: Refund): Deposit =>
  state.status === 'voided' || state.status === 'credited' ? { ...state, refund } : damaged();
