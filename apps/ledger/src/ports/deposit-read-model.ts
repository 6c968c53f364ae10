import type { AmountOf, DepositFilters, DepositRecord, Page, PageRequest, Timestamp } from '@ponte/contracts';

/** A deposit as the lists need it. */
export interface DepositRow {
  readonly depositId: string;
  readonly revision: number;
  readonly createdAt: Timestamp;
  /** Something is still to be done about it: to judge, to post, to send back. */
  readonly unfinished: boolean;
  /** Null for a payment whose target is no one's: it is in no list. */
  readonly record: DepositRecord | null;
}

/** Deposits by account and by what is left to do. */
export interface DepositReadModel {
  /** A row never goes back to a lower revision. */
  put(row: DepositRow): Promise<void>;
  get(depositId: string): Promise<DepositRecord | undefined>;
  page(accountId: string, filters: DepositFilters, page: PageRequest): Promise<Page<DepositRecord>>;
  /** Of every account, for staff. */
  pageOfType(
    type: DepositRecord['type'],
    status: DepositRecord['status'] | null,
    page: PageRequest,
  ): Promise<Page<DepositRecord>>;
  /** Of every account, for staff. */
  pageOfAll(filters: DepositFilters, page: PageRequest): Promise<Page<DepositRecord>>;
  /** Sums by asset of tokens from outside that are not credited and not void. */
  uncreditedTokens(): Promise<readonly AmountOf[]>;
  /** How many are created or confirmed, by type. */
  open(): Promise<readonly { readonly type: string; readonly status: string; readonly count: number }[]>;
  /** When the oldest of these was created, by type; null without any. */
  oldestOpen(): Promise<readonly { readonly type: string; readonly since: Timestamp | null }[]>;
  /** Ids of what is left to do, newest first. */
  unfinished(page: PageRequest): Promise<Page<string>>;
}

export const DEPOSIT_READ_MODEL = Symbol('DepositReadModel');
