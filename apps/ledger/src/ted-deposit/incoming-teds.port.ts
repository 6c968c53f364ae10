import type { DecimalText, Timestamp } from '@ponte/contracts';
import type { Payer, RailReturn } from '../pix-charge/pix-charges.port';
import type { BankPage, BankWindow } from '../payouts/bank-window';

/** A TED that reached our account at the bank. */
export interface ReceivedTed {
  /** The bank's control number, unique for ever. */
  readonly tedId: string;
  /**
   * What the sender named the transfer (`CodIdentdTransf`, 25 characters): the compact id of the account that is
   * funded. Null when nothing was named.
   */
  readonly identifier: string | null;
  readonly amount: DecimalText;
  readonly settledAt: Timestamp;
  readonly payer: Payer;
}

/** TEDs that come in at the bank. Every method rejects with `RailTimedOut` or `RailFailed`. */
export interface IncomingTeds {
  /** Undefined when no such TED has reached us. */
  get(tedId: string): Promise<ReceivedTed | undefined>;
  /** The control numbers of TEDs that came in. */
  list(window: BankWindow): Promise<BankPage>;
  /** Sends the money back to its payer; the same id again is answered as it stands. */
  sendBack(tedId: string, returnId: string, amount: DecimalText): Promise<RailReturn>;
  /** Undefined when the bank has no return of this id. */
  getSentBack(tedId: string, returnId: string): Promise<RailReturn | undefined>;
}

/** Sandbox only: a person who sends a TED. */
export interface TedPayer {
  /** Settles at once; the same reference pays once. */
  pay(payment: {
    reference: string;
    identifier: string;
    amount: DecimalText;
    payer: Payer;
  }): Promise<{ tedId: string; settledAt: Timestamp }>;
}

export const INCOMING_TEDS = Symbol('IncomingTeds');
/** Null where there is no sandbox. */
export const TED_PAYER = Symbol('TedPayer');
