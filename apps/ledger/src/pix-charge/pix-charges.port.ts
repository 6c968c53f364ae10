import type { DecimalText, Timestamp } from '@ponte/contracts';
import type { BankPage, BankWindow } from '../payouts/bank-window';

/** `ATIVA`, `CONCLUIDA`, and the two `REMOVIDA_…` of Banco Central's API Pix. */
export type RailChargeStatus = 'active' | 'paid' | 'removed-by-receiver' | 'removed-by-bank';

/** A one-time charge (`cob`) as the bank has it. */
export interface RailCharge {
  readonly txid: string;
  readonly status: RailChargeStatus;
  readonly amount: DecimalText;
  /** Where its payload lies, without the scheme: what its dynamic code leads to. */
  readonly location: string;
  /** The payments it got. */
  readonly endToEndIds: readonly string[];
}

/** Who paid. In clear, so it goes no further than the command that seals it. */
export interface Payer {
  /** CPF or CNPJ; null when the bank does not say, and an unknown payer is no one's. */
  readonly taxId: string | null;
  readonly legalName: string;
  /** ISPB, 8 characters. */
  readonly bankCode: string;
  readonly branchCode: string;
  readonly accountNumber: string;
  readonly accountType: string;
}

/** A Pix that reached our account at the bank. */
export interface ReceivedPix {
  readonly endToEndId: string;
  /** Null when the payer paid to the key, without a code. */
  readonly txid: string | null;
  readonly amount: DecimalText;
  readonly settledAt: Timestamp;
  readonly payer: Payer;
}

/** `EM_PROCESSAMENTO`, `DEVOLVIDO`, `NAO_REALIZADO`. */
export type RailReturnStatus = 'processing' | 'returned' | 'not-carried-out';

export interface RailReturn {
  readonly returnId: string;
  readonly status: RailReturnStatus;
}

/**
 * The bank did not answer in time: the call may or may not have had its effect. Resolved by reading with the same id.
 */
export class RailTimedOut extends Error {
  override readonly name = 'RailTimedOut';
  constructor(operation: string) {
    super(`the Pix rail did not answer ${operation} in time`);
  }
}

/** The bank answered that it did not do it. */
export class RailFailed extends Error {
  override readonly name = 'RailFailed';
  constructor(operation: string, reason: string) {
    super(`the Pix rail refused ${operation}: ${reason}`);
  }
}

/**
 * The receiving side of Pix, in the shape of Banco Central's API Pix. Writes are idempotent by the ids that we choose.
 * Every method rejects with {@link RailTimedOut} or {@link RailFailed}.
 */
export interface PixCharges {
  /** `PUT /cob/{txid}`; the same charge again is answered as it stands. */
  putCharge(charge: { txid: string; amount: DecimalText; expiresAt: Timestamp }): Promise<RailCharge>;
  /** `GET /cob/{txid}`, undefined when the bank has none. */
  getCharge(txid: string): Promise<RailCharge | undefined>;
  /** `PATCH /cob/{txid}`: no one is to pay it any more. What was paid before stays paid. */
  removeCharge(txid: string): Promise<RailCharge | undefined>;
  /** `GET /pix/{e2eid}`, undefined when no such payment has reached us. */
  getReceived(endToEndId: string): Promise<ReceivedPix | undefined>;
  /** `GET /pix?inicio&fim`: the end-to-end ids of payments that came in. */
  listReceived(window: BankWindow): Promise<BankPage>;
  /**
   * The end-to-end ids of payments that the bank has taken back by itself (MED) in a window of time. Always the whole
   * payment.
   */
  listTakenBack(window: BankWindow): Promise<BankPage>;
  /** `PUT /pix/{e2eid}/devolucao/{id}`; the same id again is answered as it stands. */
  requestReturn(endToEndId: string, returnId: string, amount: DecimalText): Promise<RailReturn>;
  /** `GET /pix/{e2eid}/devolucao/{id}`, undefined when the bank has none. */
  getReturn(endToEndId: string, returnId: string): Promise<RailReturn | undefined>;
}

/**
 * The bank's callback: payments that it says have come. Batched, repeated, late, lost or forged, so it is a hint to go
 * and read, and nothing of it is believed.
 */
export interface PixNotices {
  listen(listener: (endToEndIds: readonly string[]) => Promise<void>): void;
}

export const PIX_CHARGES = Symbol('PixCharges');
export const PIX_NOTICES = Symbol('PixNotices');
