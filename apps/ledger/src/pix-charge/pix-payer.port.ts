import type { BankState, DecimalText, SetBankBehaviour, Timestamp } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import type { Payer } from './pix-charges.port';

/** What a code asks for, as the payer's bank would show it. */
export interface CodeOffer {
  readonly txid: string;
  /** Null when the payer chooses. */
  readonly amount: DecimalText | null;
}

/** Someone with a bank account and a telephone: what the sandbox pays with. No such thing exists in production. */
export interface PixPayer {
  /** Undefined when the code is damaged or leads elsewhere. */
  read(brcode: string): CodeOffer | undefined;
  /** A person or company that always comes out the same for the same tax id. */
  invent(taxId: string, legalName: string | null): Payer;
  /**
   * Settles at once. The same reference pays once and is answered again. Expired and closed codes are paid too: banks
   * err.
   */
  pay(payment: {
    reference: string;
    brcode: string;
    amount: DecimalText;
    payer: Payer;
  }): Promise<{ endToEndId: string; amount: DecimalText; settledAt: Timestamp }>;
  /** Has the bank behave otherwise. The same command twice plans its faults twice. */
  behave(request: PayloadOf<typeof SetBankBehaviour>): BankState;
  state(): BankState;
}

/** Null where there is no sandbox. */
export const PIX_PAYER = Symbol('PixPayer');
