import type { FreezeRecord, FreezeStep, PendingFreezeStep, SealedBankAccount, StandingEntry } from '@ponte/contracts';
import type { AccountOpened } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';

export type AccountTerms = AccountOpened['data'];

export interface OpenedAccount {
  readonly status: 'active' | 'frozen';
  readonly terms: AccountTerms;
  /** The current values; the terms keep those of the opening. */
  readonly capabilities: readonly string[];
  readonly bankAccount: SealedBankAccount | null;
  /** External addresses to which the account may send, in lower case. */
  readonly whitelist: readonly WhitelistEntry[];
  readonly standing: Standing;
}

/** The freezes of the account, and the pending step of a freeze or release. */
export interface Standing {
  /** How many freezes and releases staff have requested. */
  readonly requests: number;
  readonly pending: PendingFreezeStep | null;
  /** The last decision of staff about a request. */
  readonly decided: DecidedFreezeStep | null;
  readonly freezes: readonly FreezeRecord[];
  readonly history: readonly StandingEntry[];
}

export interface DecidedFreezeStep {
  readonly request: number;
  readonly step: FreezeStep;
  readonly outcome: 'confirmed' | 'withdrawn' | 'refused';
  readonly staffId: string;
}

export interface WhitelistEntry {
  readonly address: string;
  readonly fx: boolean;
}

export type Account = { readonly status: 'absent' } | OpenedAccount;

/** The opened account; refuses `account-not-found` otherwise. */
export const opened = (state: Account): OpenedAccount =>
  state.status === 'absent' ? refuse('account-not-found', 'there is no such account', 'account-id') : state;
