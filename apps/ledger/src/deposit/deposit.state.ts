import type { AddressHit, DepositVoidReason, DepositCreated } from '@ponte/contracts';
import { derivedId, txidOf } from '@ponte/kernel';

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
  /** When the bank refused it for good. */
  readonly failedAt?: string;
}

export interface Known {
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
