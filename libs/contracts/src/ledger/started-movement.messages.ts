import { requestsOf } from '@ponte/event-sourcing';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { SuspenseSendingStarted } from './suspense-sending-events';

const { query } = requestsOf('ledger');

/** A token withdrawal that was started and is not signed, as far as the ledger knows. */
export interface UnsignedWithdrawal {
  readonly withdrawalId: string;
  readonly startedAt: Timestamp;
}

/**
 * Token withdrawals of any account that were started by this time and are not signed, earliest first. `after`: the last
 * one of the page before; null for the first page.
 */
export const ListUnsignedWithdrawals = query<
  { startedBefore: Timestamp; limit: number; after: UnsignedWithdrawal | null },
  { readonly withdrawals: readonly UnsignedWithdrawal[] }
>('list-unsigned-withdrawals');

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
