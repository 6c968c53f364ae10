import type { AddressHit, DepositEvent, DepositVoidReason } from '@ponte/contracts';
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
import { derivedId, refuse, txidOf } from '@ponte/kernel';

export type DepositFacts = DepositCreated['data'];

/**
 * How the money goes back to its payer. `failed`: the bank refused it for good, and a person has to look. `none`:
 * nothing is sent back.
 */
export interface Refund {
  readonly returnId: string;
  readonly reason: DepositVoidReason;
  /** From 1; each is a return of its own at the bank. */
  readonly attempt: number;
  readonly state: 'due' | 'done' | 'failed' | 'none';
}

interface Known {
  readonly facts: DepositFacts;
  readonly updatedAt: string;
}

export type Deposit =
  | { readonly status: 'none' }
  | (Known & { readonly status: 'created' })
  | (Known & {
      readonly status: 'confirmed';
      readonly accountId: string;
      /** Tokens from outside whose block is final. */
      readonly final?: boolean;
      /** Entries of sanctions lists that name the sender: staff decide before it is credited. */
      readonly hits?: readonly AddressHit[];
    })
  | (Known & {
      readonly status: 'credited';
      readonly accountId: string;
      readonly processedAt: string;
      readonly refund: Refund | null;
    })
  | (Known & {
      readonly status: 'voided';
      readonly reason: DepositVoidReason;
      /** Null when the bank took the money back by itself: there is nothing to return. */
      readonly refund: Refund | null;
      /**
       * In the books when it was voided: credited, taken out again for a return, or not credited yet (and perhaps being
       * posted at that moment).
       */
      readonly books: 'credited' | 'reversed' | 'not-credited';
    });

/** Whether the money is the account's. */
export type Verdict =
  | { readonly accepted: true; readonly accountId: string }
  | { readonly accepted: false; readonly reason: DepositVoidReason };

/** `now` is the one clock reading of the decision. */
export type DepositCommand =
  | { readonly kind: 'create'; readonly facts: DepositFacts }
  | { readonly kind: 'validate'; readonly verdict: Verdict; readonly now: string }
  /** By staff, of a deposit that staff recorded. */
  | { readonly kind: 'confirm'; readonly staffId: string; readonly now: string }
  | { readonly kind: 'reject'; readonly staffId: string; readonly now: string }
  /** Tokens from outside: their block has the confirmations of its chain, is final, or was replaced. */
  | { readonly kind: 'confirm-arrival' | 'void-reorged'; readonly now: string }
  /** `hits`: of the sender on sanctions lists, as they are at this moment. */
  | { readonly kind: 'finalize-arrival'; readonly hits: readonly AddressHit[]; readonly now: string }
  /** Staff decided that a list means the sender of tokens. */
  | { readonly kind: 'refuse-sender'; readonly now: string }
  | { readonly kind: 'credit'; readonly now: string }
  /** The bank has taken the payment back. */
  | { readonly kind: 'take-back'; readonly now: string }
  | { readonly kind: 'request-return'; readonly reason: DepositVoidReason; readonly now: string }
  /** What the bank says of the return of this id. */
  | { readonly kind: 'note-return'; readonly returnId: string; readonly carriedOut: boolean; readonly now: string };

/**
 * A return that the bank did not carry out is tried again under a new id, since the old one is spent; then a person has
 * to look.
 */
export const MAX_RETURNS = 5;

/** A Pix is a deposit once for ever. */
export const depositIdOf = (endToEndId: string): string => derivedId('deposit', endToEndId);
/** Tokens that another account with us moved are a deposit once for ever. */
export const movementDepositIdOf = (movementId: string): string => derivedId('deposit', 'movement', movementId);
export const returnIdOf = (depositId: string, attempt: number): string =>
  txidOf(derivedId('return', depositId, String(attempt)));

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

/** The way back of a deposit that has one. */
export const refundOf = (state: Deposit): Refund | null =>
  state.status === 'voided' || state.status === 'credited' ? state.refund : null;

/** False when nothing more will happen by itself: credited, sent back, or waiting for a person. */
export function isUnfinished(state: Deposit): boolean {
  if (state.status === 'created') return isForRules(state.facts);
  return (state.status === 'confirmed' && !awaitsFinality(state)) || refundOf(state)?.state === 'due';
}

/** Whether the rules decide on it, and neither staff nor the chain. */
export const isForRules = ({ recorded, arrival }: DepositFacts): boolean => !recorded && !arrival;

/** Tokens from outside whose block may still be replaced: nothing is posted for them. */
export const awaitsFinality = (state: Extract<Deposit, { status: 'confirmed' }>): boolean =>
  state.facts.arrival !== undefined && state.final !== true;

/** The policies follow the chain's stream in order, so it was created before. */
function confirmedArrival(now: string, state: Deposit): DepositEvent[] {
  if (state.status !== 'created' || !state.facts.arrival || state.facts.accountId === null) return [];
  assertMove(depositMachine, 'created', 'confirmed');
  return [
    new DepositConfirmed({ depositId: state.facts.depositId, accountId: state.facts.accountId, confirmedAt: now }),
  ];
}

function finalizedArrival(
  { hits, now }: { readonly hits: readonly AddressHit[]; readonly now: string },
  state: Deposit,
): DepositEvent[] {
  if (state.status === 'none' || !state.facts.arrival) return [];
  const { depositId } = state.facts;
  const finalized = new DepositFinalized({ depositId, finalizedAt: now, ...(hits.length === 0 ? {} : { hits }) });
  if (state.status === 'created') return [...confirmedArrival(now, state), finalized];
  return state.status === 'confirmed' && awaitsFinality(state) ? [finalized] : [];
}

/** The tokens stay in the wallet and in no balance: nothing is returned to a sanctioned sender. */
function refusedSender(now: string, state: Deposit): DepositEvent[] {
  if (state.status !== 'confirmed' || state.hits === undefined) return [];
  return [voidedTokens('compliance', now, state)];
}

/** Never of a final block: what is final stays. */
function voidedArrival(now: string, state: Deposit): DepositEvent[] {
  const isOpen =
    (state.status === 'created' && state.facts.arrival !== undefined) ||
    (state.status === 'confirmed' && awaitsFinality(state));
  if (state.status === 'none' || !isOpen) return [];
  return [voidedTokens('reorged', now, state)];
}

/** Nothing of it was posted, and nothing goes back. */
function voidedTokens(
  reason: DepositVoidReason,
  now: string,
  state: Exclude<Deposit, { status: 'none' }>,
): DepositVoided {
  assertMove(depositMachine, state.status, 'voided');
  const { depositId, accountId, type, asset, amount, orderId, coordinates } = state.facts;
  const voided = { depositId, accountId, voidedAt: now, reason, returnId: null, type, asset, amount, orderId };
  return new DepositVoided(isTokenCoordinates(coordinates) ? { ...voided, tokenCoordinates: coordinates } : voided);
}

/** Four eyes: the staff member who recorded a deposit cannot confirm it. */
function confirmed(staffId: string, now: string, state: Deposit): DepositEvent[] {
  if (state.status === 'none' || !state.facts.recorded)
    return refuse('deposit-not-found', 'staff recorded no such deposit');
  if (state.facts.recorded.staffId === staffId)
    return refuse('second-approver-required', 'another member of staff has to confirm the deposit', 'id');
  const { depositId, accountId } = state.facts;
  if (state.status !== 'created' || accountId === null) return [];
  assertMove(depositMachine, 'created', 'confirmed');
  return [new DepositConfirmed({ depositId, accountId, confirmedAt: now, confirmedBy: staffId })];
}

function rejected(now: string, state: Deposit): DepositEvent[] {
  if (state.status === 'none' || !state.facts.recorded)
    return refuse('deposit-not-found', 'staff recorded no such deposit');
  if (state.status !== 'created') return [];
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
