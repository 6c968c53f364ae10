import type { StartedSuspenseSending, SuspenseSendingEvent } from '@ponte/contracts';
import {
  SuspenseSendingFailed,
  SuspenseSendingProposed,
  SuspenseSendingRejected,
  SuspenseSendingStarted,
  SuspenseSent,
} from '@ponte/contracts';
import { Money, derivedId, refuse } from '@ponte/kernel';
import type { Deposit } from '../deposit/deposit.state';
import { balanced, sentSuspensePostings } from '../ledger-account/postings.domain';
import type { DepositInSuspense } from '../suspense/suspense.domain';
import { inSuspense, isInSuspense } from '../suspense/suspense.domain';
import type { Sending, SendingCommand, SendingDecision, Suspense } from '../suspense/suspense.state';

type KnownDeposit = Exclude<Deposit, { status: 'none' }>;

/** Each proposal has its own movement, so that a failed one never moves anything after another was confirmed. */
export const sendingMovementId = (depositId: string, proposal: number): string =>
  derivedId('suspense-sending', depositId, String(proposal));

/**
 * Decides about sending tokens in suspense away: one staff member proposes, another confirms. Refuses money at the
 * bank.
 */
export function decideSending(command: SendingCommand, state: Deposit): SuspenseSendingEvent[] {
  const known = inSuspense(state);
  if (!isOfTokens(known)) return refuse('method-asset-mismatch', 'the money is at the bank', 'id');
  switch (command.kind) {
    case 'propose-sending':
      return proposed(command, known);
    case 'confirm-sending':
      return confirmed(command, known);
    case 'reject-sending':
      return rejected(command, known);
    case 'note-sent':
      return sent(command, known);
    case 'note-sending-failed': {
      const { movementId, failure, now: failedAt } = command;
      const { sending, settledAt } = known.suspense;
      if (settledAt !== null || sending?.movementId !== movementId) return [];
      const { depositId } = known.facts;
      return [new SuspenseSendingFailed({ depositId, proposal: sending.proposal, failure, failedAt })];
    }
  }
}

export function evolveSending(state: KnownDeposit, event: SuspenseSendingEvent): KnownDeposit {
  const { sending, sendingFailure: _, ...suspense } = state.suspense ?? damaged();
  const changed = (more: Partial<Suspense>): KnownDeposit => ({ ...state, suspense: { ...suspense, ...more } });
  switch (event.type) {
    case 'SuspenseSendingProposed': {
      const { proposal, destination, reference, staffId: proposedBy, proposedAt } = event.data;
      const begun = { proposal, destination, reference, proposedBy, proposedAt };
      const unconfirmed = { confirmedBy: null, movementId: null, startedAt: null, txHash: null };
      return changed({ proposals: proposal, sending: { ...begun, ...unconfirmed } });
    }
    case 'SuspenseSendingRejected':
      return changed({});
    case 'SuspenseSendingStarted': {
      const { confirmedBy, movementId, startedAt } = event.data;
      return changed({ sending: { ...(sending ?? damaged()), confirmedBy, movementId, startedAt } });
    }
    case 'SuspenseSendingFailed':
      return changed({ sendingFailure: event.data.failure });
    case 'SuspenseSent': {
      const { txHash, sentAt: settledAt } = event.data;
      return changed({ sending: { ...(sending ?? damaged()), txHash }, settledAt });
    }
  }
}

/** Whether tokens are in suspense, not money at the bank: only deposits of tokens are set aside. */
export const isOfTokens = ({ suspense: { cause } }: DepositInSuspense): boolean => cause === 'set-aside';

/** Whether this proposal can move nothing more. Also false if this process does not know it yet. */
export function hasEnded(state: Deposit, proposal: number): boolean {
  if (!isInSuspense(state)) return false;
  const { proposals, sending, settledAt } = state.suspense;
  return proposal < proposals || (proposal === proposals && (sending === undefined || settledAt !== null));
}

/** The movement of a proposal that was started by this time and is not known to have ended; undefined without one. */
export function startedSending(state: Deposit, startedBefore: string): StartedSuspenseSending | undefined {
  if (!isInSuspense(state) || state.suspense.settledAt !== null) return undefined;
  const { depositId, accountId, asset, amount } = state.facts;
  const { sending } = state.suspense;
  if (!sending?.movementId || !sending.startedAt || sending.startedAt > startedBefore) return undefined;
  const { proposal, movementId, destination } = sending;
  return { depositId, proposal, movementId, accountId: accountId ?? damaged(), asset, amount, destination };
}

/** False if this process does not know yet that the movement was started. */
export function knowsMovement(state: Deposit, movementId: string): boolean {
  if (!isInSuspense(state)) return false;
  const { sending, proposals } = state.suspense;
  const { depositId } = state.facts;
  if (sending?.movementId === movementId) return true;
  return Array.from({ length: proposals }, (_, at) => at + 1).some(
    (proposal) => sendingMovementId(depositId, proposal) === movementId && hasEnded(state, proposal),
  );
}

/** Whether this proposal was confirmed before, so that confirming it again changes nothing. */
export const isStarted = ({ suspense: { sending } }: DepositInSuspense, proposal: number): boolean =>
  sending?.proposal === proposal && sending.confirmedBy !== null;

function proposed(
  { destination, reference, staffId, now }: Extract<SendingCommand, { kind: 'propose-sending' }>,
  { facts: { depositId }, suspense: { proposals, sending, settledAt } }: DepositInSuspense,
): SuspenseSendingEvent[] {
  if (settledAt !== null) return refuseSettled();
  if (sending) {
    const isSame = sending.destination === destination && sending.reference === reference;
    if (isSame && sending.proposedBy === staffId && sending.confirmedBy === null) return [];
    return refuse('settlement-pending', 'another proposal is waiting, or the tokens are being sent', 'id');
  }
  const terms = { depositId, proposal: proposals + 1, destination, reference };
  return [new SuspenseSendingProposed({ ...terms, staffId, proposedAt: now })];
}

function confirmed({ proposal, staffId, now }: SendingDecision, known: DepositInSuspense): SuspenseSendingEvent[] {
  if (isStarted(known, proposal)) return [];
  const { depositId, accountId, asset, amount } = known.facts;
  const { destination } = decidable(known, { proposal, staffId });
  if (accountId === null) return damaged();
  const movementId = sendingMovementId(depositId, proposal);
  const movement = { depositId, proposal, movementId, accountId, asset, amount, destination };
  return [new SuspenseSendingStarted({ ...movement, confirmedBy: staffId, startedAt: now })];
}

function rejected({ proposal, staffId, now }: SendingDecision, known: DepositInSuspense): SuspenseSendingEvent[] {
  const { proposals, sending } = known.suspense;
  if (proposal >= 1 && (proposal < proposals || (proposal === proposals && !sending))) return [];
  decidable(known, { proposal, staffId });
  return [new SuspenseSendingRejected({ depositId: known.facts.depositId, proposal, staffId, rejectedAt: now })];
}

function sent(
  { movementId, txHash, receiverAccountId, now }: Extract<SendingCommand, { kind: 'note-sent' }>,
  { facts: { depositId, asset, amount }, suspense: { sending, settledAt } }: DepositInSuspense,
): SuspenseSendingEvent[] {
  // Nothing moves for a proposal that has failed. If it did, the books would be wrong, so the event is parked.
  if (sending?.movementId !== movementId) throw new Error(`deposit ${depositId} is not sent by movement ${movementId}`);
  if (settledAt !== null) return [];
  const postings = balanced(sentSuspensePostings(Money.stored(asset, amount), receiverAccountId));
  const { proposal } = sending;
  return [
    new SuspenseSent({
      ...{ depositId, proposal, amount: { asset, amount }, postings, txHash, receiverAccountId },
      sentAt: now,
    }),
  ];
}

/** The pending proposal. Four eyes: the staff member who proposed it decides nothing about it. */
function decidable(
  { suspense: { sending, settledAt } }: DepositInSuspense,
  { proposal, staffId }: Omit<SendingDecision, 'now'>,
): Sending {
  if (settledAt !== null) return refuseSettled();
  if (!sending || sending.confirmedBy !== null)
    return refuse('settlement-not-pending', 'no proposal is waiting for a second staff member', 'id');
  if (sending.proposal !== proposal)
    return refuse('settlement-not-pending', `the pending proposal is number ${sending.proposal}`, 'proposal');
  if (sending.proposedBy === staffId)
    return refuse('second-member-required', 'a different staff member has to confirm or reject the proposal', 'id');
  return sending;
}

const refuseSettled = (): never => refuse('payment-already-settled', 'the tokens have already been sent', 'id');

const damaged = (): never => {
  throw new Error('the stream of a deposit in suspense is damaged');
};
