import { event } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import type { DecimalText, Failure, Timestamp } from '../shared';

export type PaymentMethod = 'account-balance' | 'brcode';

/** What pays for an order: a hold in the ledger, or a Pix charge at the bank. Each belongs to one acceptance. */
export type Funding =
  | { readonly kind: 'account-balance'; readonly holdId: string }
  | { readonly kind: 'brcode'; readonly txid: string; readonly brcode: string; readonly expiration: Timestamp };

/** Where the tokens go. `custody`: a wallet of ours, so they become a balance of the account. */
export interface TokenTarget {
  readonly address: string;
  readonly custody: boolean;
}

/** Stream `order-<orderId>`; the order's id derives from the quote's id. */
export class OrderPlaced extends event('OrderPlaced')<{
  orderId: string;
  quoteId: string;
  accountId: string;
  parentId: string | null;
  /** API key that accepted. */
  createdBy: string;
  externalId: string | null;
  /** The one clock reading of the decision. */
  createdAt: Timestamp;
  sourceAsset: AssetId;
  targetAsset: AssetId;
  sourceAmount: DecimalText;
  targetAmount: DecimalText;
  baseRate: DecimalText;
  effectiveRate: DecimalText;
  feeAmount: DecimalText;
  feeAsset: AssetId;
  rateLock: string | null;
  sourceWalletAddress: string | null;
  target: TokenTarget;
  funding: Funding;
}> {}

/** Nobody may have held or charged for this quote's order without placing it: appended by the sweeper before it releases. */
export class AcceptanceAbandoned extends event('AcceptanceAbandoned')<{ orderId: string; quoteId: string; accountId: string }> {}

/** The money is certain: held, or paid by Pix. */
export class OrderProcessingStarted extends event('OrderProcessingStarted')<{
  orderId: string;
  accountId: string;
  startedAt: Timestamp;
  /** The hold that will be posted: the order's own, or that of the payment. */
  holdId: string;
  /** Of a brcode order: the deposit that paid it. */
  depositId: string | null;
}> {}

export class OrderCompleted extends event('OrderCompleted')<{
  orderId: string;
  accountId: string;
  createdBy: string;
  sourceAsset: AssetId;
  targetAsset: AssetId;
  sourceAmount: DecimalText;
  targetAmount: DecimalText;
  effectiveRate: DecimalText;
  completedAt: Timestamp;
  txHash: string;
  txTimestamp: Timestamp;
  sourceWalletAddress: string | null;
  targetWalletAddress: string;
}> {}

export class OrderRolledBack extends event('OrderRolledBack')<{
  orderId: string;
  accountId: string;
  rolledBackAt: Timestamp;
  previousState: 'created' | 'processing';
  failure: Failure;
}> {}

export type OrderFact = OrderPlaced | AcceptanceAbandoned | OrderProcessingStarted | OrderCompleted | OrderRolledBack;
