import type { Recorded } from '@ponte/event-sourcing';
import { requestsOf } from '@ponte/event-sourcing';
import type {
  TransactionConfirmed,
  TransactionGivenUp,
  TransactionReverted,
  TransactionSuperseded,
} from '../movements/chain-transaction-events';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { SuspenseSendingStarted } from './suspense-sending-events';

const { command, query } = requestsOf('ledger');

/** A token withdrawal that was started and has not ended, as far as the ledger knows. */
export interface StartedWithdrawal {
  readonly withdrawalId: string;
  readonly startedAt: Timestamp;
}

/**
 * Token withdrawals of any account that were started and have not ended, and have not changed since this time, earliest
 * first. `after`: the last one of the page before; null for the first page.
 */
export const ListStartedWithdrawals = query<
  { startedBefore: Timestamp; limit: number; after: StartedWithdrawal | null },
  { readonly withdrawals: readonly StartedWithdrawal[] }
>('list-started-withdrawals');

/** What movements needs to send tokens in suspense. */
export type StartedSuspenseSending = Pick<
  SuspenseSendingStarted['data'],
  'depositId' | 'proposal' | 'movementId' | 'accountId' | 'asset' | 'amount' | 'destination'
>;

/**
 * Proposals that were started by this time and are not known to have ended. Pages are of deposits, newest first, so a
 * page may have fewer items than its limit.
 */
export const ListStartedSuspenseSendings = query<
  { startedBefore: Timestamp; page: PageRequest },
  Page<StartedSuspenseSending>
>('list-started-suspense-sendings');

/** An event that ends a transaction for the resource that it is for. A transaction has at most one. */
export type TransactionEnd = TransactionConfirmed | TransactionReverted | TransactionSuperseded | TransactionGivenUp;

/**
 * Handles the end of the transaction of a withdrawal, or of tokens in suspense, again: its event may have been lost.
 * Idempotent.
 */
export const HandleTransactionEnd = command<
  { movementId: string; end: Recorded<TransactionEnd> },
  Record<string, never>
>('handle-transaction-end', 'movementId');
