import type { AccountStatus, FreezeStep, OnboardingMode, Page, PageRequest, Timestamp } from '@ponte/contracts';

/** One account as the lists need it. Members are the columns of the table. */
export interface AccountRow {
  readonly id: string;
  /** Revision of the account's stream that the row shows. */
  readonly revision: number;
  readonly created_at: Timestamp;
  readonly parent_id: string | null;
  readonly alias: string;
  readonly status: AccountStatus;
  readonly external_id: string | null;
  readonly onboarding_mode: OnboardingMode | null;
  readonly capabilities: readonly string[];
  readonly tax_id_fingerprint: string;
  readonly pending_step: FreezeStep | null;
  /** `yes` while it is frozen or a step waits; null otherwise, so that one equality finds them. */
  readonly watched: 'yes' | null;
}

/** Where the rows lie. */
export interface AccountsTable {
  /** A row never goes back to a lower revision: then false. */
  put(row: AccountRow): Promise<boolean>;
  /** Newest first by (created_at, id), of what matches every member of `where`. */
  page(request: { readonly where: Partial<Pick<AccountRow, 'parent_id' | 'watched'>>; readonly page: PageRequest }): Promise<Page<AccountRow>>;
}

export const ACCOUNTS_TABLE = Symbol('AccountsTable');
