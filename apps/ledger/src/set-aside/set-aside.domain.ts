import type { DepositEvent, SetAside, SetAsideEvent } from '@ponte/contracts';
import { DepositSetAsideRejected, DepositSetAsideRequested, isTokenCoordinates } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { voidedDeposit } from '../deposit/deposit-ends.domain';
import type { Deposit } from '../deposit/deposit.state';
import { awaitsFinality } from '../deposit/deposit.state';
import { postedToSuspense } from '../suspense/suspense.domain';
import type { SetAsideCommand, SetAsideDecision } from './set-aside.state';

type Confirmed = Extract<Deposit, { status: 'confirmed' }>;

/**
 * Decides about setting aside a deposit that is final but not credited: one staff member requests it, another confirms.
 */
export function decideSetAside(command: SetAsideCommand, state: Deposit): DepositEvent[] {
  switch (command.kind) {
    case 'request-set-aside':
      return requested(command, state);
    case 'confirm-set-aside':
      return confirmed(command, state);
    case 'reject-set-aside':
      return rejected(command, state);
  }
}

export function evolveSetAside(state: Confirmed, event: SetAsideEvent): Confirmed {
  if (event.type === 'DepositSetAsideRejected') {
    const { setAside: _, ...rest } = state;
    return rest;
  }
  const { request, staffId: requestedBy, requestedAt } = event.data;
  return { ...state, setAsideRequests: request, setAside: { request, requestedBy, requestedAt } };
}

/** Whether this request was confirmed before, so that confirming it again changes nothing. */
export const isSetAside = (state: Deposit, request: number): boolean =>
  state.status === 'voided' && state.suspense?.setAside?.request === request;

/** Refuses a deposit that is not one of tokens that is final and waits to be credited. */
export function waitingTokens(state: Deposit): Confirmed {
  if (state.status === 'none') return refuse('deposit-not-found', 'there is no such deposit', 'id');
  if (state.status !== 'confirmed' || !isTokenCoordinates(state.facts.coordinates))
    return refuse('deposit-not-waiting', 'only confirmed tokens can be set aside', 'id');
  if (awaitsFinality(state)) return refuse('deposit-not-waiting', 'the block of the tokens is not final yet', 'id');
  return state;
}

function requested(
  { staffId, now }: Extract<SetAsideCommand, { kind: 'request-set-aside' }>,
  state: Deposit,
): DepositEvent[] {
  const { facts, setAside, setAsideRequests = 0 } = waitingTokens(state);
  if (setAside?.requestedBy === staffId) return [];
  if (setAside) return refuse('set-aside-pending', 'the request of another staff member is waiting', 'id');
  const request = setAsideRequests + 1;
  return [new DepositSetAsideRequested({ depositId: facts.depositId, request, staffId, requestedAt: now })];
}

/** Voids the deposit and posts its tokens to suspense in one append, so that the books never miss them. */
function confirmed({ request, staffId, now }: SetAsideDecision, state: Deposit): DepositEvent[] {
  if (isSetAside(state, request)) return [];
  const { status, facts, accountId, setAside } = waitingTokens(state);
  const { requestedBy } = pending(setAside, request);
  // Four eyes.
  if (requestedBy === staffId)
    refuse('second-member-required', 'a different staff member has to confirm the request', 'id');
  const by: SetAside = { request, requestedBy, confirmedBy: staffId };
  return [
    voidedDeposit(status, { ...facts, accountId }, { reason: 'account-not-active', returnId: null, now }),
    postedToSuspense(facts, 'set-aside', now, by),
  ];
}

function rejected({ request, staffId, now }: SetAsideDecision, state: Deposit): DepositEvent[] {
  if (state.status === 'none') return refuse('deposit-not-found', 'there is no such deposit', 'id');
  if (state.status !== 'confirmed') return refuseNotPending('the deposit does not wait any more');
  const { facts, setAside, setAsideRequests = 0 } = state;
  if (request >= 1 && (request < setAsideRequests || (request === setAsideRequests && !setAside))) return [];
  pending(setAside, request);
  return [new DepositSetAsideRejected({ depositId: facts.depositId, request, staffId, rejectedAt: now })];
}

function pending(setAside: Confirmed['setAside'], request: number) {
  if (setAside === undefined) return refuseNotPending('no request is waiting for a second staff member');
  if (setAside.request !== request)
    return refuse('set-aside-not-pending', `the pending request is number ${setAside.request}`, 'request');
  return setAside;
}

const refuseNotPending = (why: string): never => refuse('set-aside-not-pending', why, 'id');
