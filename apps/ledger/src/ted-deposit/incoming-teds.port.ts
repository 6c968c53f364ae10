import type { DecimalText, Timestamp } from '@ponte/contracts';
import type { Payer, RailReturn } from '../pix-charge/pix-charges.port';
import type { BankPage, BankWindow } from '../payouts/bank-window';

/** A TED that reached our account at the bank. */
export interface ReceivedTed {
  /** The bank's control number, unique forever. */
  readonly tedId: string;
  /**
   * The identifier that the sender gave the transfer (`CodIdentdTransf`, 25 characters): the compact id of the account
   * to fund. Null if none was given.
   */
  readonly identifier: string | null;
  readonly amount: DecimalText;
  readonly settledAt: Timestamp;
  readonly payer: Payer;
}

/** TEDs received at the bank. Every method rejects with `RailTimedOut` or `RailFailed`. */
export interface IncomingTeds {
  /** Undefined if no such TED has reached us. */
  get(tedId: string): Promise<ReceivedTed | undefined>;
  /** The control numbers of received TEDs. */
  list(window: BankWindow): Promise<BankPage>;
  /**
   * Sends the money back to its payer. Repeating the same id returns its current state. Rejects with `ReturnRefused` if
   * the bank refuses the return itself.
   */
  sendBack(tedId: string, returnId: string, amount: DecimalText): Promise<RailReturn>;
  /** Undefined if the bank has no return with this id. */
  getSentBack(tedId: string, returnId: string): Promise<RailReturn | undefined>;
}

/** Sandbox only: a simulated sender of TEDs. */
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
/** Null outside the sandbox. */
export const TED_PAYER = Symbol('TedPayer');
