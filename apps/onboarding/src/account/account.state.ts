import type {
  AccountStatus,
  FreezeRecord,
  StandingStep,
  PendingStep,
  SealedBankAccount,
  StandingEntry,
  Timestamp,
} from '@ponte/contracts';
import type { AccountOpened } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';

export type AccountTerms = AccountOpened['data'];

export interface OpenedAccount {
  readonly status: AccountStatus;
  /** Null until the account is closed. */
  readonly closedAt: Timestamp | null;
  readonly terms: AccountTerms;
  /** The current values; the terms keep those of the opening. */
  readonly capabilities: readonly string[];
  readonly bankAccount: SealedBankAccount | null;
  /** External addresses to which the account may send, in lower case. */
  readonly whitelist: readonly WhitelistEntry[];
  readonly standing: Standing;
}

/** The freezes of the account, and the pending step of a freeze, release or closing. */
export interface Standing {
  /** How many freezes, releases and closings staff have requested. */
  readonly requests: number;
  readonly pending: PendingStep | null;
  /** The last decision of staff about a request. */
  readonly decided: DecidedStep | null;
  readonly freezes: readonly FreezeRecord[];
  readonly history: readonly StandingEntry[];
}

export interface DecidedStep {
  readonly request: number;
  readonly step: StandingStep;
  readonly outcome: 'confirmed' | 'withdrawn' | 'refused';
  readonly staffId: string;
}

interface WhitelistEntry {
  readonly address: string;
  readonly fx: boolean;
}

export type Account = { readonly status: 'absent' } | OpenedAccount;

/** The opened account; refuses `account-not-found` otherwise. */
export const opened = (state: Account): OpenedAccount =>
  state.status === 'absent' ? refuse('account-not-found', 'there is no such account', 'account-id') : state;

/** Refuses `account-not-active` if the account is closed, after which nothing of it changes. */
export function refuseClosed(status: AccountStatus): void {
  if (status === 'closed') refuse('account-not-active', 'the account is closed', 'account-id');
}

/** The opened account, unless it is closed. */
export function notClosed(state: Account): OpenedAccount {
  const account = opened(state);
  refuseClosed(account.status);
  return account;
}
