import type { DecimalText, Timestamp } from '@ponte/contracts';
import type { BankPage, BankWindow } from '../payouts/bank-window';

/** A page of payments that the bank took back. */
export interface TakenBackPage extends BankPage {
  /** The payments whose take-back cannot be read, for example because it has no amount. They are not in `ids`. */
  readonly unreadable?: readonly string[];
}

/** `ATIVA`, `CONCLUIDA`, and the two `REMOVIDA_…` statuses of Banco Central's API Pix. */
export type RailChargeStatus = 'active' | 'paid' | 'removed-by-receiver' | 'removed-by-bank';

/** A one-time charge (`cob`) as recorded by the bank. */
export interface RailCharge {
  readonly txid: string;
  readonly status: RailChargeStatus;
  readonly amount: DecimalText;
  /** The URL of its payload without the scheme, which its dynamic code points to. */
  readonly location: string;
  /** The payments of this charge. */
  readonly endToEndIds: readonly string[];
}

/** The payer. Not encrypted, so it must not leave the command that seals it. */
export interface Payer {
  /** CPF or CNPJ; null if the bank does not state it. An unknown payer matches no account. */
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
  /** Null if the payer paid to the key, without a code. */
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
  /** BRL, as the bank has it. Null if the bank does not state it. Means nothing if it does not execute the return. */
  readonly amount: DecimalText | null;
  /**
   * The id of the return in the payment system: `rtrId` (`D…`) of a Pix, the control number of a TED. Null if the bank
   * does not give it, or has not executed the return.
   */
  readonly bankReturnId: string | null;
}

/** The bank did not answer in time: the call may have had its effect. Resolved by reading with the same id. */
export class RailTimedOut extends Error {
  override readonly name = 'RailTimedOut';
  constructor(operation: string) {
    super(`the bank did not answer ${operation} in time`);
  }
}

/** The bank answered that it did not execute the operation. */
export class RailFailed extends Error {
  override readonly name: string = 'RailFailed';
  constructor(operation: string, reason: string) {
    super(`the bank did not execute ${operation}: ${reason}`);
  }
}

/**
 * The bank refused a return for a reason that concerns the return itself. It has no return with this id but shows us
 * the payment, so neither our access nor an outage is the cause.
 */
export class ReturnRefused extends RailFailed {
  override readonly name = 'ReturnRefused';
}

/**
 * The receiving side of Pix, in the shape of Banco Central's API Pix. Writes are idempotent by the ids that we choose.
 * Every method rejects with {@link RailTimedOut} or {@link RailFailed}.
 */
export interface PixCharges {
  /** The longest time window that the bank accepts in one request, in milliseconds. Absent if there is no limit. */
  readonly listPeriodMs?: number;
  /** `PUT /cob/{txid}`; repeating the same charge returns its current state. */
  putCharge(charge: { txid: string; amount: DecimalText; expiresAt: Timestamp }): Promise<RailCharge>;
  /** `GET /cob/{txid}`, undefined if the bank has no such charge. */
  getCharge(txid: string): Promise<RailCharge | undefined>;
  /** `PATCH /cob/{txid}`: the charge can no longer be paid. What was paid before stays paid. */
  removeCharge(txid: string): Promise<RailCharge | undefined>;
  /** `GET /pix/{e2eid}`, undefined if no such payment has reached us. */
  getReceived(endToEndId: string): Promise<ReceivedPix | undefined>;
  /** `GET /pix?inicio&fim`: the end-to-end ids of received payments. A window is at most `listPeriodMs` long. */
  listReceived(window: BankWindow): Promise<BankPage>;
  /**
   * How far back {@link listTakenBack} has to be read, in milliseconds, because the bank lists by the time of the
   * payment. Absent if it lists by the time of the take-back.
   */
  readonly takeBackLookBackMs?: number;
  /**
   * The end-to-end ids of payments of a window that the bank took back on its own (MED). A window is at most
   * `listPeriodMs` long. Only take-backs of the whole payment are listed; other returns that we did not request are
   * reported and left out.
   */
  listTakenBack(window: BankWindow): Promise<TakenBackPage>;
  /**
   * `PUT /pix/{e2eid}/devolucao/{id}`; repeating the same id returns its current state. Rejects with
   * {@link ReturnRefused} if the bank refuses the return itself.
   */
  requestReturn(endToEndId: string, returnId: string, amount: DecimalText): Promise<RailReturn>;
  /** `GET /pix/{e2eid}/devolucao/{id}`, undefined if the bank has no such return. */
  getReturn(endToEndId: string, returnId: string): Promise<RailReturn | undefined>;
}

/**
 * The bank's callback about received payments. Callbacks may be batched, repeated, late, lost or forged, so they only
 * trigger a read; their contents are not trusted.
 */
export interface PixNotices {
  /** Sets the only listener. Resolves when callbacks can arrive. */
  listen(listener: (endToEndIds: readonly string[]) => Promise<void>): Promise<void>;
  /**
   * Makes sure that the bank knows where to send callbacks. Rejects with {@link RailTimedOut} or {@link RailFailed}.
   */
  register(): Promise<void>;
}

/**
 * How long after a payment its take-back may come, in days. The payer has 80 days to complain, the banks have 11 to
 * decide and pay back, and the rest is a margin. Source: rules of the special return mechanism (MED) of Pix.
 */
export const TAKE_BACK_DAYS = 100;

export const PIX_CHARGES = Symbol('PixCharges');
export const PIX_NOTICES = Symbol('PixNotices');
