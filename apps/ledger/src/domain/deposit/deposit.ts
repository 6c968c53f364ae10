import type { DepositFact, DepositVoidReason, PixCoordinates } from '@ponte/contracts';
import { DepositConfirmed, DepositCreated, DepositCredited, DepositReturnFailed, DepositReturnRequested, DepositReturned, DepositVoided, depositMachine, isTokenCoordinates } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { assertMove } from '@ponte/event-sourcing';
import { derivedId, txidOf } from '@ponte/kernel';

export type DepositFacts = DepositCreated['data'];

/** How the money goes back to its payer. `failed`: the bank refused it for good, and a person has to look. */
export interface Refund {
  readonly returnId: string;
  readonly reason: DepositVoidReason;
  /** From 1; each is a return of its own at the bank. */
  readonly attempt: number;
  readonly state: 'due' | 'done' | 'failed';
}

interface Known { readonly facts: DepositFacts; readonly updatedAt: string }

export type Deposit =
  | { readonly status: 'none' }
  | Known & { readonly status: 'created' }
  | Known & { readonly status: 'confirmed'; readonly accountId: string }
  | Known & { readonly status: 'credited'; readonly accountId: string; readonly processedAt: string; readonly refund: Refund | null }
  | Known & { readonly status: 'voided'; readonly refund: Refund };

/** Whether the money is the account's. */
export type Verdict = { readonly accepted: true; readonly accountId: string } | { readonly accepted: false; readonly reason: DepositVoidReason };

/** `now` is the one clock reading of the decision. */
export type DepositCommand =
  | { readonly kind: 'create'; readonly facts: DepositFacts }
  | { readonly kind: 'judge'; readonly verdict: Verdict; readonly now: string }
  | { readonly kind: 'credit'; readonly now: string }
  | { readonly kind: 'request-return'; readonly reason: DepositVoidReason; readonly now: string }
  /** What the bank says of the return of this id. */
  | { readonly kind: 'note-return'; readonly returnId: string; readonly carriedOut: boolean; readonly now: string };

/** A return that the bank did not carry out is tried again under a new id, since the old one is spent; then a person has to look. */
export const MAX_RETURNS = 5;

/** A Pix is a deposit once for ever. */
export const depositIdOf = (endToEndId: string): string => derivedId('deposit', endToEndId);
/** Tokens that another account with us moved are a deposit once for ever. */
export const movementDepositIdOf = (movementId: string): string => derivedId('deposit', 'movement', movementId);
export const returnIdOf = (depositId: string, attempt: number): string => txidOf(derivedId('return', depositId, String(attempt)));

/** Stream `deposit-<depositId>`. What there is nothing to do about is nothing: every step may be asked for again. */
export const deposit: Decider<DepositCommand, Deposit, DepositFact> = {
  category: 'deposit',
  initial: { status: 'none' },
  events: [DepositCreated, DepositConfirmed, DepositCredited, DepositVoided, DepositReturnRequested, DepositReturnFailed, DepositReturned],
  decide(command, state) {
    switch (command.kind) {
      case 'create': return state.status === 'none' ? [new DepositCreated(command.facts)] : [];
      case 'judge': return state.status === 'created' ? [judged(command.verdict, command.now, state.facts)] : [];
      case 'credit': {
        if (state.status !== 'confirmed') return [];
        assertMove(depositMachine, state.status, 'credited');
        const { depositId, orderId, type, asset, amount, coordinates, createdAt } = state.facts;
        const credited = { depositId, accountId: state.accountId, processedAt: command.now, orderId, type, asset, amount, coordinates };
        return [new DepositCredited(isTokenCoordinates(coordinates) ? { ...credited, createdAt } : credited)];
      }
      case 'request-return': {
        if (state.status !== 'credited' || state.refund) return [];
        const { depositId } = state.facts;
        return [new DepositReturnRequested({ depositId, returnId: returnIdOf(depositId, 1), reason: command.reason, requestedAt: command.now })];
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
      case 'DepositCreated': return { status: 'created', facts: event.data, updatedAt: event.data.createdAt };
      case 'DepositConfirmed': return { status: 'confirmed', facts: begun(state).facts, accountId: event.data.accountId, updatedAt: event.data.confirmedAt };
      case 'DepositCredited': {
        const { accountId, processedAt } = event.data;
        return { status: 'credited', facts: begun(state).facts, accountId, processedAt, refund: null, updatedAt: processedAt };
      }
      case 'DepositVoided': {
        const { returnId, reason, voidedAt } = event.data;
        return { status: 'voided', facts: begun(state).facts, refund: { returnId, reason, attempt: 1, state: 'due' }, updatedAt: voidedAt };
      }
      case 'DepositReturnRequested':
        return refunding(state, { returnId: event.data.returnId, reason: event.data.reason, attempt: 1, state: 'due' });
      case 'DepositReturnFailed': {
        const refund = begunRefund(state);
        const { nextReturnId } = event.data;
        return refunding(state, nextReturnId === null ? { ...refund, state: 'failed' } : { ...refund, returnId: nextReturnId, attempt: refund.attempt + 1 });
      }
      case 'DepositReturned':
        return refunding(state, { ...begunRefund(state), state: 'done' });
    }
  },
};

/** Where the payment came from at the bank. Throws for a deposit that came by a chain: nothing of a bank is to be asked of it. */
export function pixOf({ depositId, coordinates }: Pick<DepositFacts, 'depositId' | 'coordinates'>): PixCoordinates {
  if (isTokenCoordinates(coordinates)) throw new Error(`deposit ${depositId} did not come through a bank`);
  return coordinates;
}

/** The way back of a deposit that has one. */
export const refundOf = (state: Deposit): Refund | null => (state.status === 'voided' || state.status === 'credited' ? state.refund : null);

/** False when nothing more will happen by itself: credited, sent back, or waiting for a person. */
export function isUnfinished(state: Deposit): boolean {
  return state.status === 'created' || state.status === 'confirmed' || refundOf(state)?.state === 'due';
}

function judged(verdict: Verdict, now: string, facts: DepositFacts): DepositFact {
  const { depositId, accountId, type, asset, amount, orderId } = facts;
  if (verdict.accepted) {
    assertMove(depositMachine, 'created', 'confirmed');
    return new DepositConfirmed({ depositId, accountId: verdict.accountId, confirmedAt: now });
  }
  assertMove(depositMachine, 'created', 'voided');
  return new DepositVoided({ depositId, accountId, voidedAt: now, reason: verdict.reason, returnId: returnIdOf(depositId, 1), type, asset, amount, orderId });
}

const damaged = (): never => { throw new Error('the stream of a deposit is damaged'); };
const begun = (state: Deposit): Known => (state.status === 'none' ? damaged() : state);
const begunRefund = (state: Deposit): Refund => refundOf(state) ?? damaged();
const refunding = (state: Deposit, refund: Refund): Deposit => (state.status === 'voided' || state.status === 'credited' ? { ...state, refund } : damaged());
