import type { BankState, DecimalText, SetBankBehaviour, Timestamp } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import type { Payer } from './pix-charges.port';

/** What a code requests, as the payer's bank would show it. */
export interface CodeOffer {
  readonly txid: string;
  /** Null if the payer chooses. */
  readonly amount: DecimalText | null;
}

/** The simulated payer of the sandbox. It does not exist in production. */
export interface PixPayer {
  /** Undefined if the code is damaged or is not one of our codes. */
  read(brcode: string): CodeOffer | undefined;
  /** Invents a person or company, always the same for the same tax id. */
  invent(taxId: string, legalName: string | null): Payer;
  /**
   * Pays and settles at once. The same reference pays once; repeating it returns the same payment. Expired and closed
   * codes are paid too, because real banks make that mistake.
   */
  pay(payment: {
    reference: string;
    brcode: string;
    amount: DecimalText;
    payer: Payer;
  }): Promise<{ endToEndId: string; amount: DecimalText; settledAt: Timestamp }>;
  /** Changes the behaviour of the bank. Repeating the command plans its faults again. */
  behave(request: PayloadOf<typeof SetBankBehaviour>): BankState;
  state(): BankState;
}

/** Null outside the sandbox. */
export const PIX_PAYER = Symbol('PixPayer');
