import type { AssetId } from '@ponte/kernel';

/** A decimal string at the scale of its asset, in events, messages and replies. */
export type DecimalText = string;
/** ISO 8601, UTC, milliseconds, `Z`. */
export type Timestamp = string;

export interface AmountOf {
  readonly asset: AssetId;
  readonly amount: DecimalText;
}

/** Why a resource failed, as shown to its owner. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/**
 * The failures of a payment, and of the order that it should have paid, after which another payment may be accepted:
 * the payer made a mistake or was late. For an order by brcode, that is the payment of a new order.
 */
export const RETRYABLE_PAYMENT_FAILURES: ReadonlySet<string> = new Set([
  'brcode-expired',
  'charge-closed',
  'paid-late',
  'amount-mismatch',
  'payer-tax-id-mismatch',
]);

/** Newest first by (created-at, id); the cursor is the last item seen. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor: PageCursor | null;
  readonly createdFrom: Timestamp | null;
  readonly createdTo: Timestamp | null;
}

export interface PageCursor {
  readonly createdAt: Timestamp;
  readonly id: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page, null on the last. */
  readonly next: PageCursor | null;
}
