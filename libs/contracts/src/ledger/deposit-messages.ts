import { requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { AmountOf, Page, PageRequest, Timestamp } from '../shared';
import type { DepositType, DepositVoidReason } from './deposit-events';
import type { DepositFilters, DepositRecord } from './messages';

const { query } = requestsOf('ledger');

/** A deposit that must be returned to its payer and whose return the bank refused at every attempt. */
export interface FailedReturn {
  readonly depositId: string;
  /** Null when the payment named no account of ours. */
  readonly accountId: string | null;
  readonly type: DepositType;
  readonly asset: AssetId;
  readonly amount: string;
  readonly endToEndId: string | null;
  /** Why it must be returned. */
  readonly reason: DepositVoidReason;
  /** Number of attempts, each with its own id. */
  readonly attempts: number;
  readonly failedAt: Timestamp;
}

/** For staff: deposits of all accounts or of one, without those to unknown accounts. */
export const ListAllDeposits = query<
  { accountId: string | null; filters: DepositFilters; page: PageRequest },
  Page<DepositRecord>
>('list-all-deposits');
/** For staff: one deposit of any account. */
export const GetAnyDeposit = query<{ depositId: string }, DepositRecord | null>('get-any-deposit', 'depositId');
/** For staff: returns that the bank permanently refused, also of payments to unknown accounts. Newest deposit first. */
export const ListFailedReturns = query<{ page: PageRequest }, Page<FailedReturn>>('list-failed-returns');
/**
 * Deposited tokens that are in our wallets but not credited, by asset: they wait for finality or their account is
 * frozen.
 */
export const GetUncreditedTokens = query<Record<string, never>, { amounts: readonly AmountOf[] }>(
  'get-uncredited-tokens',
);
