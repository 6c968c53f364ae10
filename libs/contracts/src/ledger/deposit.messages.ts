import { requestsOf } from '@ponte/event-sourcing';
import type { AmountOf, Page, PageRequest } from '../shared';
import type { DepositFilters, DepositRecord } from './messages';

const { query } = requestsOf('ledger');

/** For staff: deposits of all accounts or of one, without those to unknown accounts. */
export const ListAllDeposits = query<
  { accountId: string | null; filters: DepositFilters; page: PageRequest },
  Page<DepositRecord>
>('list-all-deposits');
/**
 * Deposits of the account whose return the bank has not finished, at most `limit`, also those whose return is blocked.
 * An account with one is not closed.
 */
export const ListDueReturns = query<
  { accountId: string; limit: number },
  { items: readonly { readonly id: string }[] }
>('list-due-returns', 'accountId');
/** For staff: one deposit of any account. */
export const GetAnyDeposit = query<{ depositId: string }, DepositRecord | null>('get-any-deposit', 'depositId');
/**
 * Deposited tokens that are not credited, by asset. `amounts` wait for finality, for a review, or for a frozen account,
 * and may be credited at any moment. `final` are those of them whose block is final: they are in our wallets. `refused`
 * were refused by compliance, and remain in our wallets.
 */
export const GetUncreditedTokens = query<
  Record<string, never>,
  { amounts: readonly AmountOf[]; final?: readonly AmountOf[]; refused: readonly AmountOf[] }
>('get-uncredited-tokens');
