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
import type { DepositFacts, Refund, Known, Deposit, Verdict, DepositCommand } from './deposit.state';
import { MAX_RETURNS, returnIdOf, refundOf, isForRules, awaitsFinality } from './deposit.state';
import { confirmedArrival, finalizedArrival, refusedSender, voidedArrival } from './deposit-arrivals.domain';
import { confirmedDeposit, voidedDeposit } from './deposit-ends.domain';
import { confirmedByStaff, rejectedByStaff } from '../usd-deposit/recorded-deposit.domain';
import { decideSuspense, evolveSuspense, postedToSuspense, takenFromSuspense } from '../suspense/suspense.domain';

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
        const failed = new DepositReturnFailed({ depositId, returnId, nextReturnId, failedAt: now });
        return nextReturnId === null ? [failed, postedToSuspense(state.facts, 'return-refused', now)] : [failed];
      }
      case 'propose-settlement':
      case 'confirm-settlement':
      case 'reject-settlement':
        return decideSuspense(command, state);
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
          ...suspenseIn(state),
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
      case 'SuspensePosted':
      case 'SuspenseSettlementProposed':
      case 'SuspenseSettlementRejected':
      case 'SuspenseSettled':
        return evolveSuspense(begun(state), event);
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

/**
 * Returns no event if the money has already been returned: the bank does not send the same money back twice. A return
 * that is due ends, because the payer has the money.
 */
function takenBack(state: Deposit, now: string): DepositEvent[] {
  const refund = refundOf(state);
  if (state.status === 'none' || refund?.state === 'done' || suspenseIn(state).suspense?.settledAt) return [];
  const { status, facts } = state;
  const settled = takenFromSuspense(state, now);
  if (status === 'voided') {
    const { depositId } = facts;
    if (refund?.state !== 'due') return settled;
    return [new DepositReturned({ depositId, returnId: refund.returnId, returnedAt: now })];
  }
  const accountId = status === 'created' ? facts.accountId : state.accountId;
  return [...settled, voidedDeposit(status, { ...facts, accountId }, { reason: 'taken-back', returnId: null, now })];
}

const suspenseIn = (state: Deposit): Pick<Known, 'suspense'> =>
  state.status === 'none' || !state.suspense ? {} : { suspense: state.suspense };

const validated = (verdict: Verdict, now: string, facts: DepositFacts): DepositEvent =>
  verdict.accepted
    ? confirmedDeposit(facts, verdict.accountId, now)
    : voidedDeposit('created', facts, { reason: verdict.reason, returnId: returnIdOf(facts.depositId, 1), now });

const damaged = (): never => {
  throw new Error('the stream of a deposit is damaged');
};

const begun = (state: Deposit): Exclude<Deposit, { status: 'none' }> => (state.status === 'none' ? damaged() : state);

const begunRefund = (state: Deposit): Refund => refundOf(state) ?? damaged();

const refunding = (state: Deposit, refund: Refund): Deposit =>
  state.status === 'voided' || state.status === 'credited' ? { ...state, refund } : damaged();
