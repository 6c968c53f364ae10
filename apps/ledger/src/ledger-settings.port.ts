import type { AssetId, ListenAddress } from '@ponte/kernel';
import type { DailyLimit } from './daily-allowance/daily-allowance.decider';

/** The address of a bank's API and the files with our credentials for it. */
export interface BankApiSettings {
  readonly url: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecretFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Null to trust the system's certificate authorities. */
  readonly caFile: string | null;
  readonly timeoutMs: number;
}

/** A bank that offers Banco Central's API Pix. */
export interface PixBankSettings extends BankApiSettings {
  /** The OAuth2 scopes, separated by spaces. */
  readonly scope: string;
  /** The longest period, in days, for which the bank lists payments in one request. */
  readonly listDays: number;
  /** Where the bank sends callbacks: our public URL without a trailing slash. Null to only poll the bank. */
  readonly callbacks: { readonly url: string; readonly listen: ListenAddress } | null;
}

/** What a look-up of an unknown Pix key costs, in tokens, as in Banco Central's rules for the directory (DICT). */
export const UNKNOWN_KEY_TOKENS = 20;

/** A token bucket of look-ups: tokens added per minute, and tokens of a full bucket (at least an unknown key's). */
export interface LookUpLimit {
  readonly perMinute: number;
  readonly burst: number;
}

/** The operator's settings for this service. */
export interface LedgerSettings {
  /** The merchant name and city in Pix codes: printable ASCII, at most 25 and 15 characters. */
  readonly merchantName: string;
  readonly merchantCity: string;
  /** The Pix key of our account at the bank. */
  readonly pixKey: string;
  /** The host under which the bank serves the payloads of charges. */
  readonly payloadHost: string;
  /** Milliseconds between two polls of the bank for received payments. */
  readonly pollMs: number;
  /** How far back each poll reads the bank's lists, and how far back the hourly poll for late entries does. */
  readonly bankOverlapMs: number;
  readonly bankLateMs: number;
  /** Milliseconds between two passes over unfinished deposits. Younger deposits are left to their policy. */
  readonly resumeMs: number;
  /** What an account may withdraw per day (São Paulo time). A token without a count has the default one. */
  readonly withdrawalLimits: Readonly<Partial<Record<AssetId, DailyLimit>>>;
  /** Look-ups of Pix keys that requests may cause, per account and per partner; no limit for what is absent. */
  readonly pixKeyLookUps: { readonly account?: LookUpLimit; readonly partner?: LookUpLimit };
  /** False while no service delivers tokens: token withdrawals are then refused. */
  readonly tokenWithdrawals: boolean;
  /** File with sanctioned addresses in OFAC's format (sdn.xml); null if there is no such file. */
  readonly sanctionedAddressesFile: string | null;
  /** Null to use the simulated bank. */
  readonly payoutBank: BankApiSettings | null;
  /** The bank that receives Pix; null to use the simulated bank. */
  readonly pixBank: PixBankSettings | null;
  /** Days on which banks are closed in addition to the national holidays, YYYY-MM-DD. */
  readonly bankHolidays: ReadonlySet<string>;
}

export const LEDGER_SETTINGS = Symbol('LedgerSettings');
