import type { DecimalText, Timestamp } from '@ponte/contracts';
import type { PixKey } from '@ponte/kernel';
import type { Payee } from '../person/payee.domain';
import type { BankPage, BankWindow } from './bank-window';

/** A payment for the bank to make. `paymentId` is the withdrawal's id, and permanently the bank's idempotency key. */
export interface PayoutOrder {
  readonly paymentId: string;
  /** BRL. */
  readonly amount: DecimalText;
  readonly method: 'pix' | 'ted';
  /** Only for a Pix. The bank must refuse the payment if the key belongs to a tax id other than the payee's. */
  readonly pixKey: PixKey | null;
  readonly payee: Payee;
}

/** Why a payment will never be made. */
export const PAYOUT_REFUSALS = [
  'payee-not-found',
  'payee-mismatch',
  'payee-account-closed',
  'bank-refused',
  'cancelled',
] as const;
export type PayoutRefusal = (typeof PAYOUT_REFUSALS)[number];

/** Money of a completed payment that came back, in whole or in part. */
export interface PayoutReturn {
  /** `D…` for a Pix, the bank's control number for a TED. */
  readonly returnId: string;
  readonly amount: DecimalText;
  readonly returnedAt: Timestamp;
}

/**
 * A payment as recorded by the bank. `completed` and `refused` are final: a completed payment whose money comes back
 * stays completed, and lists the returns.
 */
export interface Payout {
  readonly paymentId: string;
  readonly status: 'pending' | 'completed' | 'refused';
  readonly refusal: PayoutRefusal | null;
  /** BRL, as the bank reports it. Null only for a refused payment, whose amount is irrelevant. */
  readonly amount: DecimalText | null;
  /** `E…` for a Pix, the bank's control number for a TED; null until the payment is completed. */
  readonly endToEndId: string | null;
  readonly returns: readonly PayoutReturn[];
}

/**
 * A bank that makes payouts. Every method rejects with `RailTimedOut` if it is unknown whether the call had an effect,
 * or with `RailFailed` if the bank did not do it now. Neither means that the payment will never be made: only `refused`
 * does.
 */
export interface Payouts {
  /** Repeating the same id returns the payment in its current state. */
  send(order: PayoutOrder): Promise<Payout>;
  /** Undefined if the bank has no payment with this id (yet). */
  get(paymentId: string): Promise<Payout | undefined>;
  /**
   * Makes sure that no payment with this id will be made, even if the bank has not received it yet. A completed payment
   * stays completed.
   */
  cancel(paymentId: string): Promise<Payout>;
  /** Ids of payments with money that came back in the window. */
  listReturned(window: BankWindow): Promise<BankPage>;
}

/** Payout notices of the bank. They may be late, repeated, out of order or forged, so they only trigger a read. */
export interface PayoutNotices {
  listen(listener: (paymentIds: readonly string[]) => Promise<void>): void;
}

/** Sandbox only: controls that a real bank does not offer. */
export interface PayoutSandbox {
  /** Settles a payment that the bank holds back. False if there is nothing to settle. */
  settle(paymentId: string): Promise<boolean>;
}

export const PAYOUTS = Symbol('Payouts');
export const PAYOUT_NOTICES = Symbol('PayoutNotices');
/** Null outside the sandbox. */
export const PAYOUT_SANDBOX = Symbol('PayoutSandbox');
