import { requestsOf } from '@ponte/event-sourcing';
import type { AmountOf, Page, PageRequest } from '../shared';
import type { DepositFilters, DepositRecord } from './messages';

const { query } = requestsOf('ledger');

/** For staff: deposits of every account, or of one. Deposits whose target is unknown are not among them. */
export const ListAllDeposits = query<
  { accountId: string | null; filters: DepositFilters; page: PageRequest },
  Page<DepositRecord>
>('list-all-deposits');
/** For staff: one deposit of whatever account. */
export const GetAnyDeposit = query<{ depositId: string }, DepositRecord | null>('get-any-deposit', 'depositId');
/**
 * Tokens from outside that are in wallets of ours and not credited: they wait for finality, or their account is frozen.
 * By asset.
 */
export const GetUncreditedTokens = query<Record<string, never>, { amounts: readonly AmountOf[] }>(
  'get-uncredited-tokens',
);
