import { requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { Page, PageRequest, Timestamp } from '../shared';
import type { DepositType, DepositVoidReason } from './deposit-events';

const { query } = requestsOf('ledger');

/** A payment that the bank took back although it had been paid back before: its money left our bank twice. */
export interface DoubleReturn {
  readonly depositId: string;
  /** Null when the payment named no Ponte account. */
  readonly accountId: string | null;
  readonly type: DepositType;
  readonly asset: AssetId;
  readonly amount: string;
  readonly endToEndId: string | null;
  /** Why the payment was paid back. */
  readonly reason: DepositVoidReason;
  /** The return that the bank had executed; null if staff had sent the money back. */
  readonly returnId: string | null;
  /** The id of that return in the payment system; null if the bank did not give it. */
  readonly bankReturnId: string | null;
  /** The bank's reference of the payment with which staff had sent the money back; null if the bank returned it. */
  readonly bankReference: string | null;
  /** When the loss was posted. */
  readonly postedAt: Timestamp;
}

/** For staff: payments whose money left our bank twice, also of unknown accounts. Newest first. */
export const ListDoubleReturns = query<{ page: PageRequest }, Page<DoubleReturn>>('list-double-returns');
