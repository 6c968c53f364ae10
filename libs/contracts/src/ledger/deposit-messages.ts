import { requestsOf } from '@ponte/event-sourcing';
import type { AmountOf, Page, PageRequest } from '../shared';
import type { DepositFilters, DepositRecord } from './messages';

const { query } = requestsOf('ledger');

/** For staff: deposits of all accounts or of one, without those to unknown accounts. */
export const ListAllDeposits = query<
  { accountId: string | null; filters: DepositFilters; page: PageRequest },
  Page<DepositRecord>
>('list-all-deposits');
/** For staff: one deposit of any account. */
export const GetAnyDeposit = query<{ depositId: string }, DepositRecord | null>('get-any-deposit', 'depositId');
/**
 * Deposited tokens that are in our wallets but not credited, by asset: they wait for finality or their account is
 * frozen.
 */
export const GetUncreditedTokens = query<Record<string, never>, { amounts: readonly AmountOf[] }>(
  'get-uncredited-tokens',
);
