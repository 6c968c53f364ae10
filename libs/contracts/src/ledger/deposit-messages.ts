import { requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { AmountOf, Page, PageRequest, Timestamp } from '../shared';
import type { DepositType, DepositVoidReason } from './deposit-events';
import type { DepositFilters, DepositRecord } from './messages';

const { query } = requestsOf('ledger');

/** Money of a deposit that should go back to its payer, and that the bank did not send back at any try. */
export interface FailedReturn {
  readonly depositId: string;
  /** Null when the payment named no account of ours. */
  readonly accountId: string | null;
  readonly type: DepositType;
  readonly asset: AssetId;
  readonly amount: string;
  readonly endToEndId: string | null;
  /** Why it should go back. */
  readonly reason: DepositVoidReason;
  /** How often the bank was asked, each time under an id of its own. */
  readonly attempts: number;
  readonly failedAt: Timestamp;
}

/** For staff: deposits of every account, or of one. Deposits whose target is unknown are not among them. */
export const ListAllDeposits = query<
  { accountId: string | null; filters: DepositFilters; page: PageRequest },
  Page<DepositRecord>
>('list-all-deposits');
/** For staff: one deposit of whatever account. */
export const GetAnyDeposit = query<{ depositId: string }, DepositRecord | null>('get-any-deposit', 'depositId');
/** For staff: returns that the bank refused for good, also of payments that name no account. Newest deposit first. */
export const ListFailedReturns = query<{ page: PageRequest }, Page<FailedReturn>>('list-failed-returns');
/**
 * Tokens from outside that are in wallets of ours and not credited: they wait for finality, or their account is frozen.
 * By asset.
 */
export const GetUncreditedTokens = query<Record<string, never>, { amounts: readonly AmountOf[] }>(
  'get-uncredited-tokens',
);
