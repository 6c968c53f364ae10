/** What the operator decides about this service. */
export interface LedgerSettings {
  /** Whose name and city stand in the codes: printable ASCII, at most 25 and 15 characters. */
  readonly merchantName: string;
  readonly merchantCity: string;
  /** The Pix key of our account at the bank. */
  readonly pixKey: string;
  /** Host under which the bank keeps the payloads of charges. */
  readonly payloadHost: string;
  /** Milliseconds from one look at the received payments to the next. */
  readonly pollMs: number;
  /** Milliseconds from one look at unfinished deposits to the next; those younger than that are left to their policy. */
  readonly resumeMs: number;
}

export const LEDGER_SETTINGS = Symbol('LedgerSettings');
