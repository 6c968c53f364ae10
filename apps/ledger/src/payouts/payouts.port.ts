import type { DecimalText, Timestamp } from '@ponte/contracts';
import type { PixKey } from '@ponte/kernel';
import type { KeyOwner } from '../key-directory/key-directory.port';
import type { BankPage, BankWindow } from './bank-window';

/** What the bank is asked to pay. `paymentId` is the withdrawal's own id, and the bank's idempotency key for ever. */
export interface PayoutOrder {
  readonly paymentId: string;
  /** BRL. */
  readonly amount: DecimalText;
  readonly method: 'pix' | 'ted';
  /** Of a Pix; the bank must refuse the payment when the key belongs to another tax id than the payee's. */
  readonly pixKey: PixKey | null;
  readonly payee: KeyOwner;
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
  /** `D…` of a Pix, the bank's control number of a TED. */
  readonly returnId: string;
  readonly amount: DecimalText;
  readonly returnedAt: Timestamp;
}

/**
 * A payment as the bank has it. `completed` and `refused` are final: a completed payment whose money comes back stays
 * completed, and names the returns.
 */
export interface Payout {
  readonly paymentId: string;
  readonly status: 'pending' | 'completed' | 'refused';
  readonly refusal: PayoutRefusal | null;
  /** `E…` of a Pix, the bank's control number of a TED; null until the payment is completed. */
  readonly endToEndId: string | null;
  readonly returns: readonly PayoutReturn[];
}

/**
 * A bank that pays out. Every method rejects with `RailTimedOut`, after which it is unknown whether the call had an
 * effect, or with `RailFailed`, when the bank did not do it now. Neither of them says that the payment will not be
 * made: only `refused` does.
 */
export interface Payouts {
  /** The same id again is answered with the payment as it stands. */
  send(order: PayoutOrder): Promise<Payout>;
  /** Undefined when the bank has no payment of this id (yet). */
  get(paymentId: string): Promise<Payout | undefined>;
  /**
   * Makes sure that no payment of this id is made; one that was completed before stays so. Also for an id that the bank
   * has never heard of.
   */
  cancel(paymentId: string): Promise<Payout>;
  /** Ids of payments of which money came back in the window. */
  listReturned(window: BankWindow): Promise<BankPage>;
}

/**
 * Notices of the bank about payments: late, repeated, out of order or forged, so they are only hints to go and read.
 */
export interface PayoutNotices {
  listen(listener: (paymentIds: readonly string[]) => Promise<void>): void;
}

/** Sandbox only: what a bank never offers. */
export interface PayoutSandbox {
  /** Settles a payment that the bank holds back. False when there is nothing to settle. */
  settle(paymentId: string): Promise<boolean>;
}

export const PAYOUTS = Symbol('Payouts');
export const PAYOUT_NOTICES = Symbol('PayoutNotices');
/** Null where there is no sandbox. */
export const PAYOUT_SANDBOX = Symbol('PayoutSandbox');
