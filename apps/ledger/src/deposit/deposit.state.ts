import type { AddressHit, DepositVoidReason, DepositCreated, SetAsideRequest } from '@ponte/contracts';
import { isTokenCoordinates } from '@ponte/contracts';
import { derivedId, txidOf } from '@ponte/kernel';
import type { DepositSource } from '../ledger-account/ledger-account.commands';
import type { SetAsideCommand } from '../set-aside/set-aside.state';
import type { SendingCommand, Suspense, SuspenseCommand } from '../suspense/suspense.state';

export type DepositFacts = DepositCreated['data'];

/**
 * How the money goes back to its payer. `failed`: the bank refused it permanently and staff must handle it. `none`:
 * nothing is sent back.
 */
export interface Refund {
  readonly returnId: string;
  readonly reason: DepositVoidReason;
  /** When the first attempt was requested. */
  readonly requestedAt: string;
  /** From 1. Each attempt is a separate return at the bank. */
  readonly attempt: number;
  /** When this attempt became due, if that was after the request. */
  readonly attemptedFrom?: string;
  readonly state: 'due' | 'done' | 'failed' | 'none';
  /** Since when the return has been blocked, because money must not leave the frozen account. */
  readonly blockedAt?: string;
  /** When it was last unblocked: by the release, or because the return ended. */
  readonly unblockedAt?: string;
  /** When the bank refused the return permanently. */
  readonly failedAt?: string;
  /** When the bank executed the return, and the id that it has in the payment system if the bank gave one. */
  readonly returnedAt?: string;
  readonly bankReturnId?: string;
  /** Set on a `done` return that ended because the bank took the payment back: when it did. */
  readonly takenBackAt?: string;
  /** Set once it is certain that the bank did not execute such a return as well. */
  readonly notCarriedOut?: true;
}

export interface Known {
  readonly facts: DepositFacts;
  readonly updatedAt: string;
  /** Set once the money was posted to suspense, even after it has left it. */
  readonly suspense?: Suspense;
  /** Set once the bank has taken the payment back although it had been paid back before. */
  readonly doubleReturn?: DoubleReturn;
}

/** Money that left our bank twice. `returnId`: the return; null if staff had sent the money back. */
interface DoubleReturn {
  readonly returnId: string | null;
  /** The id of the return in the payment system, if the bank executed it after it took the payment back. */
  readonly bankReturnId?: string;
  readonly postedAt: string;
}

export type Deposit =
  | { readonly status: 'none' }
  | (Known & { readonly status: 'created' })
  | (Known & {
      readonly status: 'confirmed';
      readonly accountId: string;
      /** True once the block of an arrival of outside tokens is final. */
      readonly final?: boolean;
      /** Sanctions list entries that name the sender. Staff decide on them before the deposit is credited. */
      readonly hits?: readonly AddressHit[];
      /** Number of requests to set the deposit aside so far. None if absent. */
      readonly setAsideRequests?: number;
      /** The pending one. */
      readonly setAside?: SetAsideRequest;
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
      /** Null when nothing is returned. A return that was due is `done` once the bank took the money back itself. */
      readonly refund: Refund | null;
      /**
       * The state of the books when the deposit was voided: credited, debited again for a return, or not credited yet
       * (its posting may be in progress at that moment).
       */
      readonly books: 'credited' | 'reversed' | 'not-credited';
      /** Whether the deposit was confirmed when it was voided. */
      readonly wasConfirmed: boolean;
    });

/** Whether the money belongs to the account. */
export type DepositValidation =
  | { readonly accepted: true; readonly accountId: string }
  | { readonly accepted: false; readonly reason: DepositVoidReason };

/** `now` is the single clock reading for the decision. */
export type DepositCommand =
  | SuspenseCommand
  | SetAsideCommand
  | SendingCommand
  | { readonly kind: 'create'; readonly facts: DepositFacts }
  | { readonly kind: 'validate'; readonly validation: DepositValidation; readonly now: string }
  /** By staff, for a deposit that staff recorded. */
  | { readonly kind: 'confirm'; readonly staffId: string; readonly now: string }
  | { readonly kind: 'reject'; readonly staffId: string; readonly now: string }
  /** For tokens from outside: their block has the confirmations that the chain requires, is final, or was replaced. */
  | { readonly kind: 'confirm-arrival' | 'void-reorged'; readonly now: string }
  /** `hits`: entries of the current sanctions lists that name the sender. */
  | { readonly kind: 'finalize-arrival'; readonly hits: readonly AddressHit[]; readonly now: string }
  /** Staff decided that a sanctions list names the sender of the tokens. */
  | { readonly kind: 'refuse-sender'; readonly now: string }
  /** The account was closed while the deposit waited to be posted. */
  | { readonly kind: 'refuse-closed'; readonly now: string }
  | { readonly kind: 'credit'; readonly now: string }
  /** The bank has taken the payment back. */
  | { readonly kind: 'take-back'; readonly now: string }
  | { readonly kind: 'block-return' | 'unblock-return'; readonly now: string }
  | { readonly kind: 'request-return'; readonly reason: DepositVoidReason; readonly now: string }
  /** The bank's result for the return with this id. */
  | {
      readonly kind: 'note-return';
      readonly returnId: string;
      readonly executed: boolean;
      readonly bankReturnId: string | null;
      readonly now: string;
    };

/**
 * A return that the bank did not execute is retried under a new id, because the bank accepts an id only once. After
 * this many attempts, staff must handle it.
 */
export const MAX_RETURNS = 5;

/** A Pix makes exactly one deposit, ever. */
export const depositIdOf = (endToEndId: string): string => derivedId('deposit', endToEndId);

/** A movement of tokens from another Ponte account makes exactly one deposit, ever. */
export const movementDepositIdOf = (movementId: string): string => derivedId('deposit', 'movement', movementId);

/** The ids of all attempts of a return so far, the latest one last. */
export const attemptsOf = (depositId: string, { attempt }: Pick<Refund, 'attempt'>): readonly string[] =>
  Array.from({ length: attempt }, (_, at) => returnIdOf(depositId, at + 1));

export const returnIdOf = (depositId: string, attempt: number): string =>
  txidOf(derivedId('return', depositId, String(attempt)));

/** The return of a deposit, if it has one. */
export const refundOf = (state: Deposit): Refund | null =>
  state.status === 'voided' || state.status === 'credited' ? state.refund : null;

/** False when nothing more will happen automatically: credited, sent back, or waiting for staff. */
export function isUnfinished(state: Deposit): boolean {
  if (state.status === 'created') return isForRules(state.facts);
  if (state.status === 'confirmed') return !awaitsFinality(state);
  return refundOf(state)?.state === 'due' || mayBeReturnedTwice(state);
}

/**
 * Whether a return ended by a take-back may still be executed: its request may have been on its way to the bank, or
 * the bank still processes it.
 */
export function mayBeReturnedTwice(state: Deposit): boolean {
  const refund = refundOf(state);
  return state.status !== 'none' && !state.doubleReturn && !!refund?.takenBackAt && !refund.notCarriedOut;
}

/** Whether the rules decide on the deposit, rather than staff or the chain. They do not decide on unallocated money. */
export const isForRules = ({ recorded, arrival, unallocated }: DepositFacts): boolean =>
  !recorded && !arrival && !unallocated;

/** True for tokens from outside whose block may still be replaced: nothing is posted for them yet. */
export const awaitsFinality = (state: Extract<Deposit, { status: 'confirmed' }>): boolean =>
  state.facts.arrival !== undefined && state.final !== true;

/**
 * Whether the deposit was refused after it had been confirmed, because its account was closed. A process that had read
 * it before may post it.
 */
export const isRefusedAsClosed = (state: Deposit): state is Extract<Deposit, { status: 'voided' }> =>
  state.status === 'voided' && state.wasConfirmed && state.reason === 'account-not-active';

/**
 * Money at our bank that is not sent back to who sent it: the holder's. Staff recorded it, or it is a returned payment.
 */
export const belongsToHolder = ({ recorded, withdrawalId }: DepositFacts): boolean => !!recorded || !!withdrawalId;

/** The house account that the customer is credited from. */
export function depositSourceOf({ coordinates }: DepositFacts): DepositSource {
  if (!isTokenCoordinates(coordinates)) return 'settlement';
  return coordinates.movementId === null ? 'external' : 'clearing';
}
