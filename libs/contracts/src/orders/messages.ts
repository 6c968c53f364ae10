import type { Sealed } from '@ponte/event-sourcing';
import { requestsOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Failure, Page, PageRequest, Timestamp } from '../shared';
import type { OrderState } from '../state-machines';
import type { Delivery, PaymentMethod } from './events';

const { command, query } = requestsOf('orders');

export interface OrderRecord {
  readonly id: string;
  readonly accountId: string;
  readonly quoteId: string;
  readonly state: OrderState;
  readonly stateUpdatedAt: Timestamp;
  readonly createdAt: Timestamp;
  readonly externalId: string | null;
  readonly sourceAsset: AssetId;
  readonly targetAsset: AssetId;
  readonly sourceAmount: DecimalText;
  readonly targetAmount: DecimalText;
  readonly baseRate: DecimalText;
  readonly effectiveRate: DecimalText;
  readonly feeAmount: DecimalText;
  readonly feeAsset: AssetId;
  readonly rateLock: string | null;
  readonly sourceWalletAddress: string | null;
  readonly targetWalletAddress: string | null;
  readonly txHash: string | null;
  /** While a settled order waits for its payout: when its transaction was mined. Earlier releases did not record it. */
  readonly settledAt?: Timestamp;
  /** For an order to a Pix key: `pending` until the payout has ended. Null for any other order. */
  readonly delivery: Delivery | { readonly state: 'pending'; readonly reason: null } | null;
  /** The withdrawal of the payout to a Pix key; null until the exchange is settled. */
  readonly withdrawalId: string | null;
  readonly failure: Failure | null;
  readonly paymentMethod: PaymentMethod;
  /** Only for brcode orders. */
  readonly brcode: string | null;
  readonly expiration: Timestamp | null;
  /** The deposit that paid the brcode, or that was refused as its payment. Null without a payment. */
  readonly depositId: string | null;
}

export interface PlaceOrderPayload {
  /** The account of the caller's key. The quote must belong to it or to `accountId`. */
  readonly callerAccountId: string;
  readonly accountId: string;
  readonly quoteId: string;
  readonly sourceWalletAddress: string | null;
  readonly targetWalletAddress: string | null;
  /** Sealed under a transit subject. `invalid`: the request has a text that is not a Pix key. */
  readonly targetEndUserPixKey: Sealed | 'invalid' | null;
  readonly sourcePaymentMethod: PaymentMethod;
  readonly externalId: string | null;
  /** Hash of the idempotency key and its scope; null without a key. One key places one order, forever. */
  readonly keyHash: string | null;
}

export interface OrderFilters {
  readonly state: OrderState | null;
  readonly quoteId: string | null;
  readonly sourceAsset: AssetId | null;
  readonly targetAsset: AssetId | null;
  readonly externalId: string | null;
}

/**
 * Accepts a quote. The command's id is derived from (caller, account, operation, idempotency key, body), or random
 * without a key. The same command gets the first reply again, any other is refused `quote-already-accepted`. A key
 * that placed the order of another quote is refused `idempotency-key-reused`, and `idempotency-in-progress` while it
 * may still place it.
 */
export const PlaceOrder = command<PlaceOrderPayload, OrderRecord>('place-order', 'quoteId');
/**
 * A dry run of `PlaceOrder`: the order that it would place now, or its refusal. Places no hold, opens no charge and
 * writes nothing.
 */
export const CheckAcceptance = query<PlaceOrderPayload, OrderRecord>('check-acceptance', 'quoteId');
/** Null when the order does not exist or is not the account's. */
export const GetOrder = query<{ accountId: string; orderId: string }, OrderRecord | null>('get-order', 'orderId');
export const ListOrders = query<{ accountId: string; filters: OrderFilters; page: PageRequest }, Page<OrderRecord>>(
  'list-orders',
  'accountId',
);
