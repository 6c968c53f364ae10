import { requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { Page, PageRequest, Timestamp } from '../../shared';

const { query } = requestsOf('ledger');

/**
 * `waiting`: the bank will be asked again whether it made the payment. `made`: it made it anyway. `closed`: it
 * did not make it, and it is asked again only when it reports something about the payment.
 */
export const REFUSED_PAYOUT_STATUSES = ['waiting', 'made', 'closed'] as const;
export type RefusedPayoutStatus = (typeof REFUSED_PAYOUT_STATUSES)[number];

/** A payout whose withdrawal was rolled back because the bank refused it, cancelled it or did not have it. */
export interface RefusedPayoutRecord {
  readonly withdrawalId: string;
  readonly accountId: string;
  /** The order that the payout delivers; null for a withdrawal that a partner requested. */
  readonly orderId: string | null;
  readonly status: RefusedPayoutStatus;
  readonly method: 'pix' | 'ted';
  readonly asset: AssetId;
  readonly amount: string;
  /** The code of the withdrawal's failure. */
  readonly reason: string;
  readonly rolledBackAt: Timestamp;
  /** When the bank is asked again; null unless `waiting`. */
  readonly checkAgainAt: Timestamp | null;
  /** The payment in the Pix or TED system; null unless `made`, and if the bank does not name it. */
  readonly endToEndId: string | null;
  /** When the loss was posted; null unless `made`, and if the account had been debited, so that there is no loss. */
  readonly postedAt: Timestamp | null;
}

/** For staff: refused payouts of every account, or those with this status. The latest rollback first. */
export const ListRefusedPayouts = query<
  { readonly status: RefusedPayoutStatus | null; readonly page: PageRequest },
  Page<RefusedPayoutRecord>
>('list-refused-payouts');
