import type { FreezeRecord, PendingFreezeStep, SealedBankAccount, StandingEntry } from '@ponte/contracts';
import type { AccountOpened } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';

export type AccountTerms = AccountOpened['data'];

export interface OpenedAccount {
  readonly status: 'active' | 'frozen';
  readonly terms: AccountTerms;
  /** As they stand now; the terms keep those of the opening. */
  readonly capabilities: readonly string[];
  readonly bankAccount: SealedBankAccount | null;
  /** External addresses that it may send to, lower-case. */
  readonly whitelist: readonly WhitelistEntry[];
  readonly standing: Standing;
}

/** How it stands with compliance. */
export interface Standing {
  readonly pending: PendingFreezeStep | null;
  readonly freezes: readonly FreezeRecord[];
  readonly history: readonly StandingEntry[];
}

export interface WhitelistEntry {
  readonly address: string;
  readonly fx: boolean;
}

export type Account = { readonly status: 'absent' } | OpenedAccount;

/** The account, or the refusal `account-not-found`. */
export const opened = (state: Account): OpenedAccount =>
  state.status === 'absent' ? refuse('account-not-found', 'there is no such account', 'account-id') : state;
