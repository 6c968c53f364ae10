import type { SetAside, SuspenseCause, SuspenseEvent } from '@ponte/contracts';
import {
  SuspensePosted,
  SuspenseSettled,
  SuspenseSettlementProposed,
  SuspenseSettlementRejected,
  payerIdOf,
} from '@ponte/contracts';
import { Money, refuse } from '@ponte/kernel';
import { balanced, settledSuspensePostings, suspensePostings } from '../ledger-account/postings.domain';
import type { Deposit, DepositFacts } from '../deposit/deposit.state';
import { depositSourceOf, refundOf } from '../deposit/deposit.state';
import type { Suspense, SuspenseCommand } from './suspense.state';

type KnownDeposit = Exclude<Deposit, { status: 'none' }>;
/** A deposit whose money is or was in suspense. */
export type DepositInSuspense = KnownDeposit & { readonly suspense: Suspense };

/** Posts the whole amount of a deposit to suspense. */
export function postedToSuspense(
  facts: DepositFacts,
  cause: SuspenseCause,
  now: string,
  setAside?: SetAside,
): SuspensePosted {
  const { depositId, asset, amount } = facts;
  const postings = balanced(suspensePostings(Money.stored(asset, amount), depositSourceOf(facts)));
  const posted = { depositId, cause, amount: { asset, amount }, postings, postedAt: now };
  return new SuspensePosted({ ...posted, ...(setAside && { setAside }) });
}

/** The bank took the payment back, so its money is no longer in suspense. Nothing if it is not there. */
export const takenFromSuspense = ({ facts, suspense }: KnownDeposit, now: string): SuspenseSettled[] =>
  suspense?.settledAt === null ? [settled(facts, null, null, now)] : [];

/** Decides about settling money in suspense by a payment outside Ponte: one staff member proposes, another confirms. */
export function decideSuspense(command: SuspenseCommand, state: Deposit): SuspenseEvent[] {
  const { facts, suspense } = inSuspense(state);
  switch (command.kind) {
    case 'propose-settlement':
      return proposed(command, facts, suspense);
    case 'confirm-settlement':
      return isConfirmable(suspense, command) ? [settled(facts, command.proposal, command.staffId, command.now)] : [];
    case 'reject-settlement': {
      const { proposal, staffId, now: rejectedAt } = command;
      if (wasRejected(suspense, proposal)) return [];
      if (suspense.settledAt !== null) return refuseSettled();
      assertMayDecide(suspense, command);
      return [new SuspenseSettlementRejected({ depositId: facts.depositId, proposal, staffId, rejectedAt })];
    }
  }
}

export function evolveSuspense(state: KnownDeposit, event: SuspenseEvent): KnownDeposit {
  if (event.type === 'SuspensePosted') return { ...state, suspense: posted(state, event) };
  const suspense = state.suspense ?? damaged();
  switch (event.type) {
    case 'SuspenseSettlementProposed': {
      const { proposal, bankReference, note, staffId: proposedBy, proposedAt } = event.data;
      const settlement = { proposal, bankReference, note, proposedBy, proposedAt, confirmedBy: null };
      return { ...state, suspense: { ...suspense, proposals: proposal, settlement } };
    }
    case 'SuspenseSettlementRejected':
      return { ...state, suspense: { ...suspense, settlement: null } };
    case 'SuspenseSettled': {
      const { confirmedBy, settledAt } = event.data;
      const settlement =
        confirmedBy === null ? suspense.settlement : { ...(suspense.settlement ?? damaged()), confirmedBy };
      return { ...state, suspense: { ...suspense, settlement, settledAt } };
    }
  }
}

/** Refuses a deposit whose money was never in suspense. */
export const inSuspense = (state: Deposit): DepositInSuspense =>
  isInSuspense(state) ? state : refuse('failed-return-not-found', 'no money of this deposit is in suspense', 'id');

export const isInSuspense = (state: Deposit): state is DepositInSuspense =>
  state.status !== 'none' && state.suspense !== undefined;

/** The decision of a staff member about one proposal. */
interface Decision {
  readonly proposal: number;
  readonly staffId: string;
}

/** False if this proposal has already been confirmed. Refuses if this staff member cannot confirm it. */
export function isConfirmable(suspense: Suspense, decision: Decision): boolean {
  const { settlement, settledAt } = suspense;
  if (settledAt !== null)
    return settlement?.proposal === decision.proposal && settlement.confirmedBy !== null ? false : refuseSettled();
  assertMayDecide(suspense, decision);
  return true;
}

/** The proposal that waited when the bank took the payment back: the payer may have been paid twice. */
export const overtakenProposal = ({ suspense: { settlement, settledAt } }: DepositInSuspense) =>
  settledAt !== null && settlement?.confirmedBy === null ? settlement : null;

/** Whether a proposal was rejected, so that its bank reference is free again. */
export const isDead = (state: Deposit, proposal: number): boolean =>
  isInSuspense(state) && wasRejected(state.suspense, proposal);

const wasRejected = ({ proposals, settlement }: Suspense, proposal: number): boolean =>
  proposal >= 1 && (proposal < proposals || (proposal === proposals && settlement === null));

function proposed(
  { bankReference, note, staffId, now }: Extract<SuspenseCommand, { kind: 'propose-settlement' }>,
  { depositId, coordinates }: DepositFacts,
  { cause, settlement, settledAt, proposals }: Suspense,
): SuspenseEvent[] {
  if (settledAt !== null) return refuseSettled();
  // Tokens are not at the bank, so no payment of the bank settles them.
  if (cause === 'set-aside') return refuse('method-asset-mismatch', 'the bank does not hold these tokens', 'id');
  if (settlement) {
    const { bankReference: reference, note: text, proposedBy } = settlement;
    if (reference === bankReference && text === note && proposedBy === staffId) return [];
    return refuse('settlement-pending', 'another settlement is waiting for a second staff member', 'id');
  }
  const proposal = proposals + 1;
  const payerId = payerIdOf(depositId, coordinates);
  const terms = { depositId, proposal, bankReference, note, payerId };
  return [new SuspenseSettlementProposed({ ...terms, staffId, proposedAt: now })];
}

function settled({ depositId, asset, amount }: DepositFacts, proposal: number | null, by: string | null, now: string) {
  const postings = balanced(settledSuspensePostings(Money.stored(asset, amount)));
  return new SuspenseSettled({
    ...{ depositId, amount: { asset, amount }, postings, proposal },
    confirmedBy: by,
    settledAt: now,
  });
}

/** The proposal must be the pending one. Four eyes: the staff member who proposed it decides nothing about it. */
function assertMayDecide({ settlement }: Suspense, { proposal, staffId }: Decision): void {
  if (settlement === null) refuse('settlement-not-pending', 'no settlement is waiting for a second staff member', 'id');
  else if (settlement.proposal !== proposal)
    refuse('settlement-not-pending', `the pending proposal is number ${settlement.proposal}`, 'proposal');
  else if (settlement.proposedBy === staffId)
    refuse('second-member-required', 'a different staff member has to confirm or reject the settlement', 'id');
}

const refuseSettled = (): never => refuse('payment-already-settled', 'the payment has already been settled', 'id');

function posted(state: KnownDeposit, { data: { cause, postedAt, setAside } }: SuspensePosted): Suspense {
  const begun = { postedAt, proposals: 0, settlement: null, settledAt: null };
  if (cause === 'set-aside')
    return { cause, reason: 'account-closed', attempts: 0, ...begun, ...(setAside && { setAside }) };
  const refund = refundOf(state);
  const reason = (cause === 'unallocated' ? unallocatedReason(state) : refund?.reason) ?? damaged();
  const attempts = cause === 'unallocated' ? 0 : (refund?.attempt ?? 0);
  return { cause, reason, attempts, ...begun };
}

/** A deposit that named its account is in suspense because that account was closed. */
const unallocatedReason = ({ facts: { unallocated, accountId } }: KnownDeposit) =>
  unallocated ?? (accountId === null ? undefined : 'account-closed');

const damaged = (): never => {
  throw new Error('the stream of a deposit in suspense is damaged');
};
