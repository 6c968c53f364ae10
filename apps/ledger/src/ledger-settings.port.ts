import type { AssetId } from '@ponte/kernel';
import type { DailyLimit } from './daily-allowance/daily-allowance.decider';

/** Where the bank that pays out is, and the files that prove who we are. */
export interface PayoutBankSettings {
  readonly url: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecretFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Null for the system's authorities. */
  readonly caFile: string | null;
  readonly timeoutMs: number;
}

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
  /**
   * Milliseconds from one look at unfinished deposits to the next; those younger than that are left to their policy.
   */
  readonly resumeMs: number;
  /** What an account may withdraw on one day in São Paulo. An asset that is not named has no limit. */
  readonly withdrawalLimits: Readonly<Partial<Record<AssetId, DailyLimit>>>;
  /** False while no service sends tokens out: withdrawals of tokens are then refused. */
  readonly tokenWithdrawals: boolean;
  /** File with the sanctioned addresses in OFAC's format (sdn.xml); null without one. */
  readonly sanctionedAddressesFile: string | null;
  /** Null for the simulated bank. */
  readonly payoutBank: PayoutBankSettings | null;
  /** Days on which banks are closed beside the national holidays, YYYY-MM-DD. */
  readonly bankHolidays: ReadonlySet<string>;
}

export const LEDGER_SETTINGS = Symbol('LedgerSettings');
