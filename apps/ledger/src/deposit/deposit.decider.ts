import type { DepositEvent } from '@ponte/contracts';
import {
  DEPOSIT_EVENTS,
  DepositCreated,
  DepositCredited,
  DepositReturnRequested,
  depositMachine,
  isTokenCoordinates,
} from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import type { DepositFacts, Refund, Known, Deposit, DepositValidation, DepositCommand } from './deposit.state';
import { returnIdOf, refundOf, isForRules, awaitsFinality } from './deposit.state';
import { confirmedArrival, finalizedArrival, refusedSender, voidedArrival } from './deposit-arrivals.domain';
import { confirmedDeposit, refusedAsClosed, voidedDeposit } from './deposit-ends.domain';
import {
  decideBlocking,
  dueRefund,
  evolveRefund,
  notedReturn,
  takenBack,
  takenBackRefund,
} from './deposit-returns.domain';
import { confirmedByStaff, rejectedByStaff } from '../usd-deposit/recorded-deposit.domain';
import { decideSetAside, evolveSetAside } from '../set-aside/set-aside.domain';
import { decideSending, evolveSending } from '../suspense-sending/sending.domain';
import { decideSuspense, evolveSuspense, postedToSuspense } from '../suspense/suspense.domain';

/** Stream `deposit-<depositId>`. A command with nothing left to do returns no events, so every step may be repeated. */
export const deposit: Decider<DepositCommand, Deposit, DepositEvent> = {
  category: 'deposit',
  initial: { status: 'none' },
  events: DEPOSIT_EVENTS,
  decide(command, state) {
    switch (command.kind) {
      case 'create':
        return state.status === 'none' ? created(command.facts) : [];
      case 'confirm':
        return confirmedByStaff(command.staffId, command.now, state);
      case 'reject':
        return rejectedByStaff(command.now, state);
      case 'confirm-arrival':
        return confirmedArrival(command.now, state);
      case 'finalize-arrival':
        return finalizedArrival(command, state);
      case 'void-reorged':
        return voidedArrival(command.now, state);
      case 'refuse-sender':
        return refusedSender(command.now, state);
      case 'refuse-closed':
        return refusedAsClosed(command.now, state);
      case 'validate':
        return state.status === 'created' && isForRules(state.facts)
          ? [validated(command.validation, command.now, state.facts)]
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
      case 'block-return':
      case 'unblock-return':
        return decideBlocking(command, state);
      case 'note-return':
        return notedReturn(command, state);
      case 'request-set-aside':
      case 'confirm-set-aside':
      case 'reject-set-aside':
        return decideSetAside(command, state);
      case 'propose-settlement':
      case 'confirm-settlement':
      case 'reject-settlement':
        return decideSuspense(command, state);
      case 'propose-sending':
      case 'confirm-sending':
      case 'reject-sending':
      case 'note-sent':
      case 'note-sending-failed':
        return decideSending(command, state);
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'DepositCreated':
        return { status: 'created', facts: event.data, updatedAt: event.data.createdAt };
      case 'DepositConfirmed': {
        const { accountId, confirmedAt: updatedAt } = event.data;
        return { status: 'confirmed', facts: existing(state).facts, accountId, updatedAt };
      }
      case 'DepositFinalized':
        return state.status === 'confirmed'
          ? { ...state, final: true, ...(event.data.hits === undefined ? {} : { hits: event.data.hits }) }
          : damaged();
      case 'DepositCredited': {
        const { accountId, processedAt } = event.data;
        const { facts } = existing(state);
        return { status: 'credited', facts, accountId, processedAt, refund: null, updatedAt: processedAt };
      }
      case 'DepositVoided': {
        const { returnId, reason, voidedAt } = event.data;
        return {
          status: 'voided',
          facts: existing(state).facts,
          reason,
          refund:
            returnId === null ? takenBackRefund(refundOf(state), voidedAt) : dueRefund(returnId, reason, voidedAt),
          books: booksOf(state),
          wasConfirmed: state.status === 'confirmed',
          updatedAt: voidedAt,
          ...suspenseIn(state),
        };
      }
      case 'DepositReturnRequested':
      case 'DepositReturnBlocked':
      case 'DepositReturnUnblocked':
      case 'DepositReturnFailed':
      case 'DepositReturned':
        return refunding(state, evolveRefund(refundOf(state), event));
      case 'DoubleReturnPosted': {
        const { returnId, bankReturnId, postedAt } = event.data;
        return { ...existing(state), doubleReturn: { returnId, ...(bankReturnId && { bankReturnId }), postedAt } };
      }
      case 'DepositSetAsideRequested':
      case 'DepositSetAsideRejected':
        return state.status === 'confirmed' ? evolveSetAside(state, event) : damaged();
      case 'SuspensePosted':
      case 'SuspenseSettlementProposed':
      case 'SuspenseSettlementRejected':
      case 'SuspenseSettled':
        return evolveSuspense(existing(state), event);
      case 'SuspenseSendingProposed':
      case 'SuspenseSendingRejected':
      case 'SuspenseSendingStarted':
      case 'SuspenseSendingFailed':
      case 'SuspenseSent':
        return evolveSending(existing(state), event);
    }
  },
};

const booksOf = (state: Deposit): 'credited' | 'reversed' | 'not-credited' =>
  state.status !== 'credited' ? 'not-credited' : state.refund === null ? 'credited' : 'reversed';

/** Money that no account may receive goes to suspense in the same append. */
const created = (facts: DepositFacts): DepositEvent[] => [
  new DepositCreated(facts),
  ...(facts.unallocated ? [postedToSuspense(facts, 'unallocated', facts.createdAt)] : []),
];

const suspenseIn = (state: Deposit): Pick<Known, 'suspense'> =>
  state.status === 'none' || !state.suspense ? {} : { suspense: state.suspense };

const validated = (validation: DepositValidation, now: string, facts: DepositFacts): DepositEvent =>
  validation.accepted
    ? confirmedDeposit(facts, validation.accountId, now)
    : voidedDeposit('created', facts, { reason: validation.reason, returnId: returnIdOf(facts.depositId, 1), now });

const damaged = (): never => {
  throw new Error('the stream of a deposit is damaged');
};

const existing = (state: Deposit): Exclude<Deposit, { status: 'none' }> =>
  state.status === 'none' ? damaged() : state;

const refunding = (state: Deposit, refund: Refund): Deposit =>
  state.status === 'voided' || state.status === 'credited' ? { ...state, refund } : damaged();
